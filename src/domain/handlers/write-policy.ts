/**
 * Who may write what (seed 004, omc-orchestrator): roles that lead write documents, workers their own tree. Paths are
 * absolute and real; what lies outside the town is the runtime's and the human's own matter.
 */
import type { Role } from '../role.ts';

export interface WritePlace {
  role: string;
  agentId: string;
  /** The town's folder, and where the agent works. */
  root: string;
  tree: string;
  /** Globs below the tree that every role may write. */
  allow: readonly string[];
  /** Name of the tree where the parts of its ultrapilot are put together, for the one that coordinates it. */
  joins: string | null;
}

/** Why the write is against the policy, and who does it instead; null where it is fine. */
export function whyNotWrite(place: WritePlace, path: string): string | null {
  const { root, tree, role, agentId, joins } = place;
  const inRoot = below(root, path);
  if (inRoot === null) return null;
  if (/^\.chipset\/(state|bin)(\/|$)/.test(inRoot)) {
    return 'the state of the town is written by gt alone';
  }
  const inTree = below(tree, path);
  if (inTree !== null && place.allow.some((glob) => globPattern(glob).test(inTree))) return null;
  const owner = /^\.chipset\/worktrees\/([^/]+)\//.exec(inRoot)?.[1] ?? null;
  if (owner !== null && owner === joins) return null;
  if (owner !== null && owner !== agentId) {
    return `it is in the tree of ${owner}: gt mail send ${owner} "…" says what should change there`;
  }
  if (leads.includes(role as Role))
    return isDocument(inRoot) ? null : 'a role that leads writes no code: sling a bead, and a worker does it';
  if (tree === root || inTree !== null) return null;
  return `${agentId} works in its own tree, ${tree}; the main checkout is the human's, the mayor's and the refinery's`;
}

const leads: readonly Role[] = ['mayor', 'witness'];

const isDocument = (path: string): boolean =>
  /(^|\/)(docs?|notes|plans)\//i.test(path) ||
  /\.(md|mdx|txt|rst|adoc)$/i.test(path) ||
  /^(\.chipset|\.claude|\.codex|\.gemini|\.opencode)\//.test(path) ||
  /(^|\/)(prd\.json|gastown\.ya?ml)$/.test(path);

/** The path below `folder`, or null. A folder that only begins alike is another one. */
export function below(folder: string, path: string): string | null {
  if (path === folder) return '';
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : null;
}

/**
 * A glob as a pattern for a path below some folder: `*` within a folder, `**` over none or many, `?`, `{a,b}`, `[abc]`. A
 * glob without a slash is meant at any depth.
 */
export function globPattern(glob: string): RegExp {
  const whole = glob.includes('/') ? glob.replace(/^\.?\//, '') : `**/${glob}`;
  let text = '';
  for (let at = 0; at < whole.length; at += 1) {
    const char = whole[at] ?? '';
    if (whole.startsWith('**/', at)) {
      text += '(?:[^/]+/)*';
      at += 2;
    } else if (whole.startsWith('**', at)) {
      text += '.*';
      at += 1;
    } else if (char === '*') text += '[^/]*';
    else if (char === '?') text += '[^/]';
    else if (char === '{') text += '(?:';
    else if (char === '}') text += ')';
    else if (char === ',') text += '|';
    else if (char === '[' && whole.indexOf(']', at) > at) {
      const end = whole.indexOf(']', at);
      text += `[${whole
        .slice(at + 1, end)
        .replace(/^!/, '^')
        .replace(/\\/g, '\\\\')}]`;
      at = end;
    } else text += char.replace(/[.+^$()|\\\]]/g, '\\$&');
  }
  try {
    return new RegExp(`^${text}$`);
  } catch {
    // A glob of somebody else's that is none: it matches nothing.
    return /$^/;
  }
}
