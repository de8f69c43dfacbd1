import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Fixture, makeRepository, programPath, usualHandoff } from './fixture.ts';
import { type Expected, type GateCase, gateTable } from './gate-table.ts';

/** A place of its own without a handoff: the installed command finds nothing armed, the script refuses the caller. */
const elsewhere = { node: 3, sh: 5 };
const right = ['--cycle', '34'];

const git = (cwd: string, ...args: string[]): void => {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'commit.gpgsign=false'];
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: cwd };
  execFileSync('git', [...identity, ...args], { cwd, env, stdio: 'ignore' });
};

const commit = (fixture: Fixture): void => git(fixture.tree, 'commit', '--allow-empty', '-q', '-m', 'first');

const repositoryAt = (fixture: Fixture, ...parts: string[]): void => makeRepository(fixture.path(...parts));

const hostile = {
  GIT_DIR: '/nowhere',
  GIT_WORK_TREE: '/',
  GIT_COMMON_DIR: '/nowhere',
  GIT_CEILING_DIRECTORIES: '/',
  GIT_DISCOVERY_ACROSS_FILESYSTEM: 'no',
  GIT_INDEX_FILE: '/nowhere',
  GIT_OBJECT_DIRECTORY: '/nowhere',
  GIT_ALTERNATE_OBJECT_DIRECTORIES: '/nowhere',
  GIT_CONFIG: '/nowhere',
  GIT_CONFIG_PARAMETERS: "'core.worktree=/'",
  GIT_CONFIG_COUNT: 'many',
  GIT_IMPLICIT_WORK_TREE: '0',
  GIT_GRAFT_FILE: '/nowhere',
  GIT_SHALLOW_FILE: '/nowhere',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_REPLACE_REF_BASE: 'x',
  GIT_PREFIX: 'x/',
  GIT_INTERNAL_SUPER_PREFIX: 'x/',
  GIT_NAMESPACE: 'x',
  GIT_CONFIG_GLOBAL: '/nowhere',
  GIT_CONFIG_SYSTEM: '/nowhere',
  GIT_CONFIG_NOSYSTEM: '0',
  GIT_EXEC_PATH: '/nowhere',
  GIT_TRACE: '2',
};

/** The record by which a session of the town is bound to its tree. */
function bindAgent(fixture: Fixture, role: string, worktree: string | null, text?: string): Record<string, string> {
  const stateDir = fixture.path('.chipset', 'state');
  mkdirSync(join(stateDir, 'agents'), { recursive: true });
  const record = { agent_id: 'alpha', role, worktree };
  writeFileSync(join(stateDir, 'agents', 'alpha.json'), text ?? `${JSON.stringify(record, null, 2)}\n`);
  return { GT_AGENT_ID: 'alpha', GT_INSTANCE_ID: 'one', GT_STATE_DIR: stateDir };
}

/** A session of the town, as the Node form knows it. */
function session(name: string, role: string, worktree: string | null, exit: number, text?: string): GateCase {
  return {
    name,
    prepare: (fixture) => void bindAgent(fixture, role, worktree, text),
    calls: (fixture) => [{ args: right, env: bindAgent(fixture, role, worktree, text), exit }],
    forms: ['node'],
  };
}

const cases: GateCase[] = [
  {
    name: 'T3 a caller outside of the tree is refused',
    prepare: (fixture) => void mkdirSync(join(fixture.base, 'outside')),
    calls: (fixture) => [
      { args: right, cwd: join(fixture.base, 'outside'), exit: elsewhere },
      { args: right, cwd: '/', exit: elsewhere },
    ],
  },
  {
    name: 'T4 a caller in a nested worktree, repository or submodule is refused',
    prepare: (fixture) => {
      repositoryAt(fixture, 'nested');
      mkdirSync(fixture.path('nested', 'deep'));
      mkdirSync(fixture.path('tree'));
      writeFileSync(fixture.path('tree', '.git'), `gitdir: ${fixture.path('.git', 'worktrees', 'tree')}\n`);
    },
    calls: ['nested', 'nested/deep', 'tree'].map((cwd) => ({ args: right, cwd, exit: elsewhere })),
  },
  {
    name: 'T7 a poisoned git environment does not block the rightful caller',
    prepare: (fixture) => void mkdirSync(fixture.path('sub')),
    calls: [{ args: right, cwd: 'sub', env: hostile, exit: 0 }],
  },
  {
    name: 'A41 a linked worktree inside the root',
    prepare: (fixture) => {
      commit(fixture);
      git(fixture.tree, 'worktree', 'add', '-q', fixture.path('.claude', 'worktrees', 'x'));
    },
    calls: [{ args: right, cwd: '.claude/worktrees/x', exit: elsewhere }],
  },
  {
    name: 'A42 a linked worktree outside of the root',
    prepare: (fixture) => {
      commit(fixture);
      git(fixture.tree, 'worktree', 'add', '-q', join(fixture.base, 'x'));
    },
    calls: (fixture) => [{ args: right, cwd: join(fixture.base, 'x'), exit: elsewhere }],
  },
  {
    name: 'A43 a submodule',
    prepare: (fixture) => {
      makeRepository(join(fixture.base, 'other'));
      git(join(fixture.base, 'other'), 'commit', '--allow-empty', '-q', '-m', 'first');
      git(
        fixture.tree,
        '-c',
        'protocol.file.allow=always',
        'submodule',
        'add',
        '-q',
        join(fixture.base, 'other'),
        'sub',
      );
    },
    calls: [{ args: right, cwd: 'sub', exit: elsewhere }],
  },
  {
    name: 'A44 a nested repository whose core.worktree is the root',
    prepare: (fixture) => {
      repositoryAt(fixture, 'nested');
      const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ${fixture.tree}\n`;
      writeFileSync(fixture.path('nested', '.git', 'config'), config);
      writeFileSync(fixture.path('nested', 'HOOK_NEXT_CYCLE.md'), usualHandoff);
    },
    calls: [{ args: right, cwd: 'nested', exit: 5 }],
  },
  { name: 'A45 within .git', calls: ['.git', '.git/refs'].map((cwd) => ({ args: right, cwd, exit: 5 })) },
  {
    name: 'A46 within .git/worktrees/x',
    prepare: (fixture) => {
      commit(fixture);
      git(fixture.tree, 'worktree', 'add', '-q', join(fixture.base, 'x'));
    },
    calls: [{ args: right, cwd: '.git/worktrees/x', exit: 5 }],
  },
  {
    name: 'A47 a bare repository below the root',
    prepare: (fixture) => {
      mkdirSync(fixture.path('bare.git', 'objects'), { recursive: true });
      mkdirSync(fixture.path('bare.git', 'refs'));
      writeFileSync(fixture.path('bare.git', 'HEAD'), 'ref: refs/heads/main\n');
    },
    calls: ['bare.git', 'bare.git/refs'].map((cwd) => ({ args: right, cwd, exit: 5 })),
  },
  {
    name: 'A48 a broken .git: a file that points nowhere, a dangling link, an empty folder',
    prepare: (fixture) => {
      for (const name of ['a', 'b', 'c']) mkdirSync(fixture.path(name));
      writeFileSync(fixture.path('a', '.git'), 'gitdir: /nowhere\n');
      symlinkSync('/nowhere', fixture.path('b', '.git'));
      mkdirSync(fixture.path('c', '.git'));
    },
    // Where git follows no `.git` it finds the tree around it, and its second opinion refuses the installed command.
    calls: [
      { args: right, cwd: 'a', exit: elsewhere },
      { args: right, cwd: 'b', exit: 5 },
      { args: right, cwd: 'c', exit: 5 },
    ],
  },
  ...(process.getuid?.() === 0
    ? [
        {
          name: 'A49 a nested repository of another owner',
          prepare: (fixture: Fixture) => {
            repositoryAt(fixture, 'nested');
            for (const name of ['nested', 'nested/.git']) chownSync(fixture.path(name), 12_345, 12_345);
          },
          calls: [{ args: right, cwd: 'nested', exit: elsewhere }],
        },
      ]
    : []),
  {
    name: 'A50 git is not on PATH',
    prepare: (fixture) => {
      const bin = join(fixture.base, 'bin');
      mkdirSync(bin);
      repositoryAt(fixture, 'nested');
      const tools = 'env od tr ls date sha256sum awk wc dd head sed chmod cat ln mv rm mkdir sync grep cut'.split(' ');
      for (const tool of tools) symlinkSync(programPath(tool), join(bin, tool));
    },
    calls: (fixture) => [
      { args: right, cwd: 'nested', env: { PATH: join(fixture.base, 'bin') }, exit: elsewhere },
      { args: right, env: { PATH: join(fixture.base, 'bin') }, exit: 0 },
    ],
  },
  {
    name: 'A51 a working directory that is gone',
    calls: [{ args: right, cwd: 'never-there', exit: 5 }],
    forms: ['node'],
  },
  {
    name: 'A52 a sibling whose path begins like the root',
    prepare: (fixture) => void mkdirSync(join(fixture.base, 'repo-evil')),
    calls: (fixture) => [{ args: right, cwd: join(fixture.base, 'repo-evil'), exit: elsewhere }],
  },
  {
    name: 'A53 a working directory through a symlink',
    prepare: (fixture) => {
      mkdirSync(fixture.path('sub'));
      symlinkSync(fixture.tree, join(fixture.base, 'link'));
    },
    calls: (fixture) => {
      const cwd = join(fixture.base, 'link', 'sub');
      return [{ args: right, cwd, env: { PWD: cwd }, exit: 0 }];
    },
  },
  {
    name: 'A54 no git at all',
    prepare: (fixture) => {
      rmSync(fixture.path('.git'), { recursive: true });
      mkdirSync(fixture.path('sub'));
    },
    calls: [
      { args: ['--cycle', '35'], exit: 4 },
      { args: right, exit: 0 },
    ],
  },
  {
    name: 'A54 no git at all: a town marks its root',
    prepare: (fixture) => {
      rmSync(fixture.path('.git'), { recursive: true });
      mkdirSync(fixture.path('sub'));
      writeFileSync(fixture.path('gastown.yaml'), 'agents: [{id: a, runtime: sim}]\n');
    },
    calls: [{ args: right, cwd: 'sub', exit: 0 }],
  },
  {
    name: 'A55 the root itself is a linked worktree, with its own hook',
    prepare: (fixture) => {
      makeRepository(join(fixture.base, 'main'));
      git(join(fixture.base, 'main'), 'commit', '--allow-empty', '-q', '-m', 'first');
      git(join(fixture.base, 'main'), 'worktree', 'add', '-q', join(fixture.base, 'linked'));
      rmSync(fixture.path('.git'), { recursive: true });
      execFileSync('mv', [join(fixture.base, 'linked', '.git'), fixture.path('.git')]);
      git(join(fixture.base, 'main'), 'worktree', 'repair', fixture.tree);
    },
    calls: [{ args: right, exit: 0 }],
  },
  {
    name: 'A56 each variable of git set to a hostile value',
    calls: Object.entries(hostile).map(
      ([name, value]): Expected => ({ args: right, env: { [name]: value }, exit: 0, rearm: usualHandoff }),
    ),
    forms: ['node'],
  },
  {
    name: 'A56 the five that the seed names, one by one',
    calls: Object.entries(hostile)
      .slice(0, 5)
      .map(([name, value]): Expected => ({ args: right, env: { [name]: value }, exit: 0, rearm: usualHandoff })),
    forms: ['dash', 'bash'],
  },
  {
    name: 'A56 hostile values do not admit a caller who is elsewhere',
    prepare: (fixture) => repositoryAt(fixture, 'nested'),
    calls: (fixture) => [
      { args: right, cwd: 'nested', env: hostile, exit: elsewhere },
      { args: right, cwd: 'nested', env: { GIT_WORK_TREE: fixture.tree }, exit: elsewhere },
      { args: right, cwd: 'nested', env: { GIT_DIR: fixture.path('.git') }, exit: elsewhere },
    ],
  },
  {
    name: 'A57 cd to the parent from a bound session',
    prepare: (fixture) => void mkdirSync(join(fixture.base, 'own')),
    calls: (fixture) => [
      { args: right, env: { GT_WORKTREE: join(fixture.base, 'own') }, exit: 5 },
      { args: right, env: { GT_WORKTREE: join(fixture.base, 'gone') }, exit: 5 },
      { args: right, env: { GT_WORKTREE: fixture.tree, GT_ROLE: 'crew' }, exit: 0 },
    ],
  },
  session('A57 a worker of the town in its parent tree (decision 15)', 'polecat', '/tmp', 5),
  session('A57 a crew of the town whose tree is elsewhere', 'crew', '/tmp', 5),
  {
    name: 'A57 a session of the town uses the town’s own command',
    prepare: (fixture) => void bindAgent(fixture, 'crew', null),
    calls: (fixture) => [{ args: right, env: bindAgent(fixture, 'crew', null), exit: { node: 0, sh: 5 } }],
  },
  {
    name: 'A58 a subagent and a worker with a narrow task',
    calls: [
      { args: right, env: { GT_SUBAGENT: '1' }, exit: 5 },
      { args: right, env: { GT_ROLE: 'polecat' }, exit: 5 },
      { args: right, env: { GT_ROLE: 'subagent' }, exit: 5 },
      { args: right, env: { GT_ROLE: 'worker' }, exit: 5 },
    ],
  },
  session('A58 a worker of the town that stands in the root (decision 15)', 'polecat', null, 5),
  session('A58 a session whose record is corrupt', 'crew', null, 5, '{"role":'),
  session('decision 15: the root’s handoff is the mayor’s too', 'mayor', null, 0),
  {
    name: 'A60 a hook only in the parent tree is not armed here',
    prepare: (fixture) => {
      repositoryAt(fixture, 'nested');
      mkdirSync(fixture.path('nested', 'bin'));
      execFileSync('cp', [fixture.script, fixture.path('nested', 'bin')]);
    },
    calls: (fixture) => [
      { args: right, cwd: 'nested', script: fixture.path('nested', 'bin', 'dissolve_hook.sh'), exit: 3 },
    ],
    afterwards: (fixture) => expect(fixture.archives()).toEqual([]),
  },
];

gateTable('The gate: tree and session', cases);
