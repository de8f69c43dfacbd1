import { resolve } from 'node:path';
import { type Bead, beadStatuses, priorities } from '../../domain/bead.ts';
import { parseId } from '../../domain/ids.ts';
import { cleanText } from '../../domain/text.ts';
import { addBead, type BeadList, closeBead, listBeads, listReady, reopenBead, requireBead } from '../../town/beads.ts';
import { importBeads, importLimitBytes, readImport } from '../../town/import.ts';
import { oneOf } from '../arguments.ts';
import { columns } from '../columns.ts';
import type { Call } from '../command.ts';
import { print, warn } from '../print.ts';

export async function add(call: Call): Promise<undefined> {
  const priority = call.text('priority')?.toUpperCase();
  const needs = call
    .text('needs')
    ?.split(',')
    .map((id) => parseId('bead', id.trim()));
  const id = call.text('id');
  const bead = await addBead(await call.town(), {
    title: call.rest.join(' '),
    description: call.text('description'),
    priority: priority === undefined ? undefined : oneOf(priority, priorities, 'priority'),
    needs,
    bead_id: id === undefined ? undefined : parseId('bead', id),
  });
  print(call, bead, () => [`${bead.bead_id}  ${bead.title}`]);
}

export async function list(call: Call): Promise<undefined> {
  const status = call.text('status');
  const wanted = status === undefined ? null : oneOf(status, beadStatuses, 'status');
  const found = listBeads(await call.town());
  printList(call, { ...found, beads: found.beads.filter((bead) => wanted === null || bead.status === wanted) });
}

export async function ready(call: Call): Promise<undefined> {
  printList(call, listReady(await call.town()));
}

export async function show(call: Call): Promise<undefined> {
  const bead = requireBead(await call.town(), beadArgument(call));
  print(call, bead, () => detailsOf(bead));
}

export async function reopen(call: Call): Promise<undefined> {
  const bead = await reopenBead(await call.town(), beadArgument(call));
  print(call, bead, () => [`${bead.bead_id} is ${bead.status}`]);
}

export async function close(call: Call): Promise<undefined> {
  const bead = await closeBead(await call.town(), beadArgument(call));
  print(call, bead, () => [`${bead.bead_id} is ${bead.status}`]);
}

/** From a file, or from standard input for `-`. */
export async function importFile(call: Call): Promise<undefined> {
  const file = call.args[0] ?? '-';
  const text = file === '-' ? await call.io.stdin(importLimitBytes) : readImport(resolve(call.io.cwd, file));
  const beads = await importBeads(await call.town(), text, file === '-' ? 'standard input' : file);
  print(call, beads, () => [...beads.map((bead) => `${bead.bead_id}  ${bead.title}`), `${beads.length} added`]);
}

const beadArgument = (call: Call): string => parseId('bead', call.args[0]);

function printList(call: Call, { beads, problems }: BeadList): void {
  for (const problem of problems) warn(call, problem);
  print(call, beads, () =>
    beads.length === 0
      ? ['no beads']
      : columns(
          ['BEAD', 'PRI', 'STATUS', 'ASSIGNEE', 'TITLE'],
          beads.map((bead) => [bead.bead_id, bead.priority, bead.status, bead.assignee ?? '-', bead.title]),
        ),
  );
}

function detailsOf(bead: Bead): string[] {
  const needs = bead.needs.length === 0 ? [] : [`needs     ${bead.needs.join(', ')}`];
  const failure = typeof bead['failure'] === 'string' ? [`failure   ${cleanText(bead['failure'])}`] : [];
  const description = bead.description === '' ? [] : ['', cleanText(bead.description)];
  return [
    `${bead.bead_id}  ${cleanText(bead.title)}`,
    `status    ${bead.status}`,
    `priority  ${bead.priority}`,
    `assignee  ${bead.assignee ?? 'nobody'}`,
    `created   ${bead.created_at}`,
    ...needs,
    ...failure,
    ...description,
  ];
}
