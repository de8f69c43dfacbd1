/** A mode that a prompt names without starting it. Ordinary words (pipeline, swarm) are none: they are about something else. */
import type { ModeName } from './names.ts';
import { triggerIn } from './trigger.ts';

const names: readonly ModeName[] = ['ralph', 'autopilot', 'ultrapilot', 'ultraqa', 'ultrawork'];

/** Null where none is named, where one starts or is cancelled, and for code, quotations, addresses and words of ours. */
export function mentionedMode(prompt: string): ModeName | null {
  if (prompt.trimStart().startsWith('[gastown') || triggerIn(prompt) !== null) return null;
  const said = prompt
    .slice(0, 4_000)
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .replace(/`[^`]*`/g, ' ')
    .replace(/^\s*[>|+-].*$/gm, ' ')
    .replace(/\S*[/\\@]\S*/g, ' ')
    .replace(/(["“]).*?["”]/g, ' ')
    .toLowerCase();
  return names.find((name) => new RegExp(`(^|[^\\w.-])${name}([^\\w.-]|[.,]?$|[.,]\\s)`).test(said)) ?? null;
}
