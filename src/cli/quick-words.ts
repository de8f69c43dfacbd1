/** Which calls `quick.cjs` answers: these words, in this order, with or without `--json`; `status` with it only. */
const quick = ['--as-agent prime', '--as-agent hook', '--as-agent hook start', '--as-agent touch'];

export function isQuick(argv: readonly string[]): boolean {
  const words = argv.filter((word) => word !== '--json').join(' ');
  return quick.includes(words) || isStatus(argv);
}

export const isStatus = (argv: readonly string[]): boolean =>
  argv.length === 2 && argv.includes('status') && argv.includes('--json');
