import { type Check, doctor as examine } from '../../town/doctor/doctor.ts';
import type { Call } from '../command.ts';
import { print, shade } from '../print.ts';

/** Exit 3 when a check failed; warnings alone are no failure. */
export async function doctor(call: Call): Promise<number> {
  const { io } = call;
  const checks = await examine({ cwd: io.cwd, env: io.env, fix: call.flag('fix') });
  const failed = checks.filter(({ result }) => result === 'fail').length;
  const warned = checks.filter(({ result }) => result === 'warn').length;
  print(call, { checks, failed, warned }, () => [
    ...checks.map((check) => lineOf(check, io.color)),
    `${checks.length - failed - warned} ok, ${warned} to know, ${failed} failed`,
  ]);
  return failed === 0 ? 0 : 3;
}

function lineOf({ group, name, result, text, next, fixed }: Check, color: boolean): string {
  const mark = shade(
    { ok: fixed ? 'mended' : 'ok', warn: 'know', fail: 'FAIL' }[result].padEnd(6),
    { ok: 'green' as const, warn: 'yellow' as const, fail: 'red' as const }[result],
    color,
  );
  return `${mark} ${group} ${name}: ${text}${next === '' ? '' : `; ${next}`}`;
}
