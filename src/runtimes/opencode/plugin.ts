/**
 * opencode's plugin, for operators who want its events (`gastown events install opencode`). One text for every town; it
 * does nothing outside a pane. It knows opencode's sessions: one with a parent is a subagent of that parent.
 */
export const opencodePlugin = `// Written by gastown: \`gastown events uninstall opencode\` removes it. Silent outside a pane of a town.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

const kinds = { bash: 'Bash', edit: 'Edit', write: 'Edit', patch: 'Edit', task: 'Agent', webfetch: 'Web', read: 'Read', grep: 'Search', glob: 'Search', list: 'Search', question: 'question' };

export const Gastown = async ({ client, directory }) => {
  const entry = process.env.GT_EVENT_BIN;
  try {
    accessSync(entry, constants.X_OK);
  } catch {
    return {};
  }
  const roots = new Map();
  // What a session was begun with stays; what a prompt was given is for its turn.
  const contexts = new Map();
  const turns = new Map();
  let started = false;
  let last = Promise.resolve();

  const call = (words, payload) =>
    new Promise((done) => {
      const timer = setTimeout(() => done({}), 10_000);
      timer.unref?.();
      const end = (answer) => {
        clearTimeout(timer);
        done(answer);
      };
      try {
        const child = spawn(entry, words, { stdio: ['pipe', 'pipe', 'ignore'] });
        let out = '';
        child.stdout.on('data', (chunk) => {
          out += chunk;
        });
        child.stdin.on('error', () => {});
        child.on('error', () => end({}));
        child.on('close', () => {
          try {
            end(out.trim() === '' ? {} : JSON.parse(out));
          } catch {
            end({});
          }
        });
        child.stdin.end(JSON.stringify(payload));
      } catch {
        end({});
      }
    });
  // One after the other: an event must not overtake the one before it.
  const fire = (words, session, fields) => {
    const root = roots.get(session) ?? session;
    const subagent = root === session ? null : session;
    last = last.then(() => call(words, { session_id: root, subagent, cwd: directory, ...fields }));
    return last;
  };
  const goOn = (session, text) =>
    client.session.prompt({ path: { id: session }, body: { parts: [{ type: 'text', text }] } }).catch(() => {});

  const onEvent = async ({ type, properties }) => {
    const session = properties?.sessionID ?? properties?.info?.id;
    if (typeof session !== 'string') return;
    if (type === 'session.created') {
      const parent = properties.info?.parentID;
      if (parent) {
        roots.set(session, roots.get(parent) ?? parent);
        await fire(['subagent.start'], session, {});
        return;
      }
      const source = started ? 'clear' : 'startup';
      started = true;
      const answer = await fire(['session.created'], session, { source });
      contexts.set(session, answer.context ?? '');
    } else if (type === 'session.idle') {
      if (roots.has(session)) {
        await fire(['subagent.end'], session, {});
        return;
      }
      const answer = await fire(['session.idle'], session, {});
      if (answer.block) void goOn(session, answer.block);
    } else if (type === 'session.error') {
      const error = properties.error ?? {};
      await fire(['session.error'], session, { error: error.name, message: error.data?.message ?? error.name });
    } else if (type === 'session.compacted' || type === 'session.deleted') {
      await fire([type], session, {});
    } else if (type === 'permission.asked' || type === 'permission.updated') {
      await fire(['permission.asked'], session, { tool: properties.permission ?? properties.type ?? 'a tool' });
    }
  };

  return {
    event: async ({ event }) => onEvent(event).catch(() => {}),
    'chat.message': async (input, output) => {
      const parts = (output.parts ?? []).filter((part) => part.type === 'text').map((part) => part.text);
      const answer = await fire(['chat.message'], input.sessionID, { prompt: parts.join('\\n') });
      const isBegun = contexts.has(input.sessionID);
      if (!isBegun) contexts.set(input.sessionID, answer.context ?? '');
      turns.set(input.sessionID, isBegun ? (answer.context ?? '') : '');
    },
    'experimental.session.compacting': async (input) => {
      await fire(['session.compacting'], input.sessionID, {});
    },
    'experimental.chat.system.transform': async (input, output) => {
      for (const context of [contexts.get(input.sessionID), turns.get(input.sessionID)]) {
        if (context) output.system.push(context);
      }
    },
    'tool.execute.before': async (input, output) => {
      const words = ['tool.execute.before', ...(kinds[input.tool] ? [kinds[input.tool]] : [])];
      const fields = { tool: input.tool, call_id: input.callID, args: output.args };
      const answer = await fire(words, input.sessionID, fields);
      if (answer.block) throw new Error(answer.block);
    },
    'tool.execute.after': async (input, output) => {
      const words = ['tool.execute.after', ...(kinds[input.tool] ? [kinds[input.tool]] : [])];
      const said = typeof output?.output === 'string' ? output.output : '';
      const fields = { tool: input.tool, call_id: input.callID, args: input.args, output: said.slice(0, 4_000) };
      const answer = await fire(words, input.sessionID, fields);
      if (answer.context && said !== '') output.output = said + '\\n\\n' + answer.context;
    },
  };
};
`;
