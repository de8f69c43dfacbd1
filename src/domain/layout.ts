/** Layouts (`layouts/*.yaml`): where the control pane and the agent panes go. Planned here, built by src/tmux. */
import * as z from 'zod/mini';

export const layoutSchema = z.strictObject({
  name: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,30}$/)),
  description: z.string(),
  /** `none`: the control pane has a window of its own. */
  control: z.strictObject({
    side: z.enum(['left', 'right', 'top', 'bottom', 'none']),
    /** Columns (left, right) or rows (top, bottom) that survive every resize. */
    size: z.int().check(z.minimum(3), z.maximum(400)),
  }),
  agents: z.strictObject({
    /** `grid`, `columns`, `rows`: panes beside the control pane; `windows`: one window an agent. */
    arrange: z.enum(['grid', 'columns', 'rows', 'windows']),
    min_width: z.int().check(z.minimum(10), z.maximum(400)),
    min_height: z.int().check(z.minimum(3), z.maximum(200)),
    /** At most this many panes in one window; null: as many as fit. */
    per_window: z.nullable(z.int().check(z.minimum(1), z.maximum(100))),
  }),
});
export type Layout = z.infer<typeof layoutSchema>;
