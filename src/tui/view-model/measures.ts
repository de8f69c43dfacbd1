/** The metrics of seed 001 with their sparklines, and the proposals of the learning loop with their evidence. */
import type { Proposal } from '../../domain/learning.ts';
import { proposalText, selectedProposal } from '../state/learning-actions.ts';
import { type Line, part } from '../text/line.ts';
import { rowText, toWidth, wrapLines } from '../text/width.ts';
import { type Drawing, rule } from './drawing.ts';
import { list, type ScreenLines } from './list.ts';

/** The bars of `domain/metrics-table.ts`, lowest first. */
const bars = '▁▂▃▄▅▆▇█';

/** The table of metrics; its bars are drawn with the signs this terminal has. */
export function metricsTable({ ui, look, width }: Drawing): Line[] {
  if (ui.measures === null) return [[part('  reading the samples', 'dim')]];
  const drawn = look.glyphs.bars.slice(1);
  const bar = (sign: string): string =>
    drawn[Math.round((bars.indexOf(sign) / (bars.length - 1)) * (drawn.length - 1))] ?? '';
  const room = Math.max(10, width - 2);
  return ui.measures.lines.flatMap((line): Line[] => {
    // Sentences are wrapped; a row of the table keeps its columns.
    if (!/^( |gupp_)/.test(line) && line !== '') {
      return wrapLines(rowText(line), room, 6, look.glyphs.ellipsis).map((text) => [part(` ${text}`, 'wait')]);
    }
    const isTitle = line.startsWith('gupp_');
    const text = look.ascii ? line.replace(/[▁▂▃▄▅▆▇█]/g, bar).replaceAll('→', '->') : line;
    return [[part(` ${spaced(text)}`, isTitle ? 'strong' : 'plain')]];
  });
}

export function learningScreen(drawing: Drawing, height: number, before: number): ScreenLines {
  const { ui, look } = drawing;
  const proposals = ui.measures?.proposals ?? [];
  const chosen = selectedProposal(drawing);
  const about = chosen === null ? [] : evidenceLines(chosen, drawing);
  const room = Math.min(about.length, Math.floor(height / 2));
  const shown = list(
    drawing,
    'Learning',
    proposals,
    (proposal, isSelected) => [
      part(isSelected ? `${look.glyphs.cursor} ` : '  ', 'accent'),
      part(`${toWidth(proposal.status, 9, look.glyphs.ellipsis)} `, proposal.status === 'open' ? 'wait' : 'dim'),
      part(rowText(ascii(proposalText(proposal), drawing)), isSelected ? 'title' : 'plain'),
      part(`  ${rowText(proposal.reason)}`, 'dim'),
    ],
    ui.measures === null ? 'reading the samples' : 'Nothing to propose yet: the measurements ask for no change.',
    height - room,
    before,
  );
  return { ...shown, lines: [...shown.lines, ...about.slice(0, room)] };
}

function evidenceLines(proposal: Proposal, drawing: Drawing): Line[] {
  const { width, look } = drawing;
  const facts = Object.entries(proposal.evidence).map(([name, value]) => `${name} ${+value.toFixed(2)}`);
  const decided = proposal.decided_by === null ? [] : [`${proposal.status} by ${proposal.decided_by}`];
  return [
    rule(drawing, [part(rowText(ascii(proposalText(proposal), drawing)), 'strong')], proposal.rule),
    ...wrapLines(rowText(proposal.reason), Math.max(1, width - 4), 4, look.glyphs.ellipsis).map(
      (text): Line => [part(`  ${text}`)],
    ),
    [part('  evidence  ', 'dim'), part(rowText([...facts, ...decided].join(', ')))],
  ];
}

/** Hygiene that leaves the columns where they are. */
const spaced = (text: string): string =>
  text
    .split(/( +)/)
    .map((piece) => (piece.startsWith(' ') ? piece : rowText(piece)))
    .join('');

const ascii = (text: string, { look }: Drawing): string => (look.ascii ? text.replaceAll('→', '->') : text);
