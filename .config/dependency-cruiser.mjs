// The floor plan as rules: imports go down only (cli, tui, events -> town -> runtimes, tmux, git, store -> domain).
const floor = (name, from, forbidden, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: forbidden },
});

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    floor('domain-is-ground', '^src/domain/', '^src/(?!domain/)', 'domain knows no other floor'),
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment: 'domain has no I/O: of packages it may use zod, yaml and nothing of node',
      from: { path: '^src/domain/' },
      to: { dependencyTypesNot: ['local'], pathNot: ['node_modules/(zod|yaml|fastest-levenshtein)/'] },
    },
    floor('store-stands-on-domain', '^src/store/', '^src/(?!store/|domain/)'),
    floor('tmux-stands-on-domain', '^src/tmux/', '^src/(?!tmux/|domain/)'),
    floor('git-stands-on-domain', '^src/git/', '^src/(?!git/|domain/)'),
    floor('runtimes-stand-on-domain', '^src/runtimes/', '^src/(?!runtimes/|domain/)'),
    floor('town-below-heads', '^src/town/', '^src/(cli|tui|events|index)'),
    floor('tui-decides-nothing', '^src/tui/', '^src/(cli|events|store|tmux|git|runtimes|index)'),
    floor('events-below-heads', '^src/events/', '^src/(cli|tui|index)'),
    floor('cli-goes-through-town', '^src/cli/', '^src/(store|tmux|git|runtimes)/'),
    floor('nothing-imports-tests', '^src/', '^test/'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
