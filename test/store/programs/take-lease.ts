/** `take-lease <stateDir>`: takes the deacon's lease and keeps it; exit 5 when another has it. */
import { GastownError } from '../../../src/domain/errors.ts';
import { takeLease } from '../../../src/store/lease.ts';
import { openStore } from '../../../src/store/store.ts';

try {
  await takeLease(openStore(process.argv[2] ?? ''), Date.now());
  setInterval(() => {}, 1_000);
} catch (error) {
  if (!(error instanceof GastownError)) throw error;
  process.exitCode = error.exit;
}
