// The bare counterpart: the same table in plain Ink, one <Text> a row, as one would write it. AGENTS, CHANGES (a second),
// WATCH (a folder of hook files: fs.watch, read the file, render).
import { readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { Box, render, Text, useInput } from 'ink';
import { useEffect, useState } from 'react';

interface Row {
  id: string;
  title: string;
  nudges: number;
}

const count = Number(process.env['AGENTS'] ?? 30);
const changes = Number(process.env['CHANGES'] ?? 0);
const folder = process.env['WATCH'];
const visible = (process.stdout.rows || 40) - 4;
const first = Array.from(
  { length: count },
  (_, index): Row => ({ id: `polecat-${index + 1}`, title: 'Fix the login redirect', nudges: 0 }),
);

function App() {
  const [rows, setRows] = useState(first);
  const [selected, select] = useState(0);
  useInput((input) => {
    if (input === 'j') select((index) => Math.min(count - 1, index + 1));
    if (input === 'k') select((index) => Math.max(0, index - 1));
  });
  useEffect(() => {
    if (changes === 0) return;
    let tick = 0;
    const timer = setInterval(() => {
      tick += 1;
      const at = (tick * 7) % count;
      setRows((before) => before.map((row, index) => (index === at ? { ...row, nudges: tick } : row)));
    }, 1000 / changes);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (folder === undefined) return;
    const watcher = watch(folder, (_event, name) => {
      if (name === null || !name.endsWith('.json')) return;
      try {
        const hook = JSON.parse(readFileSync(join(folder, name), 'utf8'));
        setRows((before) =>
          before.map((row) => (row.id === hook.agent_id ? { ...row, title: hook.work_item?.title ?? '' } : row)),
        );
      } catch {
        // Half a rename: the next event tells.
      }
    });
    return () => watcher.close();
  }, []);
  const top = Math.max(0, Math.min(selected - visible + 1, count - visible));
  return (
    <Box flexDirection="column">
      <Text bold>{`town  ${count} agents`}</Text>
      {rows.slice(top, top + visible).map((row, index) => (
        <Text key={row.id} wrap="truncate">
          {top + index === selected ? '▌ ' : '  '}
          <Text bold={top + index === selected}>{row.id.padEnd(20)}</Text>
          {' working   active    gt-abc12 '}
          {row.title.padEnd(40)}
          <Text dimColor>{`10s ▁▂▃▄▂▁▁▅▆▃▂▂ ${String(row.nudges).padStart(5)} claude`}</Text>
        </Text>
      ))}
    </Box>
  );
}

render(<App />);
