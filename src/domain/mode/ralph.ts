/** ralph: on and on through the stories of `prd.json` until a reviewer has approved the whole (seed 004). */
import * as z from 'zod/mini';
import type { Mode, ModeFacts } from './mode.ts';
import { advanceReview, noReview, openReview, reviewSchema } from './review.ts';
import { quoted, said } from './said.ts';
import { stateAs } from './state-of.ts';

const stateSchema = z.looseObject({ story: z.nullable(z.string()), review: reviewSchema });
type State = z.infer<typeof stateSchema>;

const fresh = (reviewer: string | null): State => ({ story: null, review: noReview(reviewer) });

export const ralph: Mode = {
  name: 'ralph',
  does: 'goes on through the stories of prd.json until a reviewer approved the whole',
  begin: (_goal, { reviewer = null }) => fresh(reviewer),
  reduce({ state: kept, goal }, event, facts) {
    const state = stateAs(stateSchema, kept, fresh(facts.reviewer));
    const question = `Is this finished and right: ${quoted(goal)}? Its stories are in prd.json, what was done in progress.txt.`;
    const advanced = advanceReview('ralph', state.review, event, facts, question);
    if (advanced !== null) return { state: { ...state, review: advanced.review }, step: advanced.step };
    if (state.review.stage !== 'none') {
      const why = state.review.stage === 'gates' ? 'the gates run' : `review ${state.review.request_id ?? ''}`;
      return { state, step: { kind: 'wait', why } };
    }
    const { stories } = facts;
    if (stories.kind !== 'ok') return { state, step: { kind: 'say', text: planText(goal, stories) } };
    if (stories.next === null) {
      const opened = openReview(state.review, facts, question);
      return { state: { ...state, story: null, review: opened.review }, step: opened.step };
    }
    const { next, done, total } = stories;
    const text = said(
      'ralph',
      `story ${next.id} (${done} of ${total} done): ${quoted(next.title)}`,
      ...next.criteria.slice(0, 12).map((criterion) => `- ${quoted(criterion)}`),
      `Do this one story. When it holds, set its "passes" to true in prd.json, add what was done and learnt to progress.txt, and end your turn.`,
    );
    return { state: { ...state, story: `${next.id} ${done + 1}/${total}` }, step: { kind: 'say', text } };
  },
  show({ state }) {
    const { story, review } = stateAs(stateSchema, state, fresh(null));
    const phase = review.stage === 'gates' ? 'gates' : review.stage === 'review' ? 'review' : story && 'story';
    return { phase, story };
  },
};

function planText(goal: string, stories: Exclude<ModeFacts['stories'], { kind: 'ok' }>): string {
  const why =
    stories.kind === 'broken'
      ? `prd.json cannot be used: ${quoted(stories.why)}. Mend it.`
      : 'There is no prd.json yet.';
  return said(
    'ralph',
    `${why} The goal: ${quoted(goal, 1_000)}`,
    'Write prd.json at the root of this tree: {"project": "…", "description": "…", "userStories": [{"id": "US-001", "title": "…", "description": "…", "acceptanceCriteria": ["…"], "priority": 1, "passes": false, "notes": ""}]}. Small stories, the lowest priority number first. Then end your turn.',
  );
}
