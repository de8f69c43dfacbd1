/** The shell form's files, as they lie beside this module or, once bundled, in `dist/handoff`. */
import { existsSync, readFileSync } from 'node:fs';

export type ScriptName = 'dissolve_hook.sh' | 'inject_hook.sh' | 'test_dissolve_hook.sh';

export function scriptText(name: ScriptName): string {
  const places = [`./${name}`, `./handoff/${name}`, `../handoff/${name}`].map(
    (place) => new URL(place, import.meta.url),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`${name} is missing from this installation`);
  return readFileSync(found, 'utf8');
}
