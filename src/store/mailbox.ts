/** Mail: durable messages, one file each. A message is created once, may be marked read, and moves to the archive. */
import { randomBytes } from 'node:crypto';
import { linkSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorText, refused, unreadable } from '../domain/errors.ts';
import { isId, parseId } from '../domain/ids.ts';
import { toRecordText } from '../domain/json.ts';
import { type Mail, mailSchema } from '../domain/records.ts';
import { createAtomic, isTempName, listNames, makeFolderOf } from './atomic-write.ts';
import { withLock } from './lock.ts';
import type { StatePaths } from './paths.ts';
import { code } from './process-identity.ts';
import { lockPath, type Place, type RecordRead, readRecord, updateRecord } from './record.ts';

export interface MailStore {
  /** Writes a new message to its `to`; never overwrites one. `id` is made here and is the file's name. */
  create(mail: NewMail): Mail;
  /** By id, which sorts by time. */
  list(agentId: string, folder?: MailFolder): Map<string, RecordRead<Mail>>;
  /** Agents that have a mailbox. */
  mailboxes(): string[];
  markRead(agentId: string, id: string): Promise<Mail>;
  archive(agentId: string, id: string): Promise<void>;
}

type NewMail = Pick<
  Mail,
  'from' | 'to' | 'type' | 'subject' | 'body' | 'payload' | 'channel' | 'durable' | 'priority' | 'timestamp' | 'read'
>;
type MailFolder = 'inbox' | 'archive';

/** A foreign file in a mailbox must not hide the messages beside it. */
const misnamed: RecordRead<Mail> = { kind: 'unreadable', reason: 'its name is not that of a message' };

export function openMail(paths: StatePaths): MailStore {
  const folderOf = (agentId: string, folder: MailFolder): string =>
    folder === 'inbox' ? paths.mailbox(agentId) : paths.mailArchive(agentId);
  const place = (agentId: string, id: string, folder: MailFolder): Place<Mail> => ({
    stateDir: paths.stateDir,
    path: join(folderOf(agentId, folder), `${parseId('session', id)}.json`),
    schema: mailSchema,
    idKey: 'id',
  });

  return {
    create(mail) {
      const from = parseId('agent', mail.from);
      const time = mail.timestamp.replace(/[^0-9TZ]/g, '');
      for (;;) {
        const id = `${time}-${from}-${randomBytes(4).toString('hex')}`;
        const whole = mailSchema.parse({ ...mail, id });
        if (createAtomic(place(mail.to, id, 'inbox').path, toRecordText(whole))) return whole;
      }
    },
    list(agentId, folder = 'inbox') {
      const ids = listNames(folderOf(agentId, folder))
        .filter((name) => name.endsWith('.json') && !isTempName(name))
        .map((name) => basename(name, '.json'))
        .sort();
      return new Map(ids.map((id) => [id, isId('session', id) ? readRecord(place(agentId, id, folder)) : misnamed]));
    },
    mailboxes: () => listNames(paths.mailDir).sort(),
    async markRead(agentId, id) {
      const { value } = await updateRecord(place(agentId, id, 'inbox'), (mail) => {
        if (mail === null) throw refused(`there is no message ${id} for ${agentId}`, `see gastown mail ${agentId}`);
        return mail.read ? null : { ...mail, read: true };
      });
      if (value === null) throw refused(`there is no message ${id} for ${agentId}`);
      return value;
    },
    async archive(agentId, id) {
      const from = place(agentId, id, 'inbox');
      await withLock(lockPath(from), () => move(from.path, place(agentId, id, 'archive').path));
    },
  };
}

/** Link, then unlink: a message is never nowhere, and one in the archive is never overwritten. */
function move(from: string, to: string): void {
  try {
    makeFolderOf(to);
    try {
      linkSync(from, to);
    } catch (error) {
      if (code(error) !== 'EEXIST') throw error;
    }
    unlinkSync(from);
  } catch (error) {
    if (code(error) === 'ENOENT') throw refused(`there is no message ${basename(from, '.json')}`, '', error);
    throw unreadable(`cannot archive ${from}: ${errorText(error)}`, 'check the folder', error);
  }
}
