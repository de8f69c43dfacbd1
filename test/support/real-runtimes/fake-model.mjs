#!/usr/bin/env node
/**
 * A scripted model server on loopback, without dependencies: real agent CLIs run whole turns against it, without an
 * account. `node fake-model.mjs [--port 0] [--scenario s.json] [--log requests.jsonl] [--port-file f]`
 *
 * Speaks Anthropic Messages (and count_tokens), OpenAI Responses and Chat Completions, Gemini generateContent,
 * streamGenerateContent and countTokens; streamed or not.
 *
 * Scenario: {turns: [TURN…], queues: [{match, turns: [TURN…]}], routes: [{match, turn, times}], side: TURN, default: TURN}
 * TURN: {text, tool, args, tools: [{name, args}], delay_ms, chunk_ms, chunks, hang: true|"stream", error, error_message, error_body,
 *        retry_after, cut, usage: {in, out}}
 * `match` is a regular expression on the raw body. Order: routes, the first queue that matches and is not empty, turns,
 * default. A request without tools (titles, routers, quota probes) takes `side` and never eats a scripted turn; where it
 * demands JSON it gets a minimal instance of its schema. "{{MODEL}}" and "{{N}}" in a turn are substituted.
 *
 * Control: GET /__log, /__state; POST /__scenario, /__push (appends turns).
 */
import fs from 'node:fs';
import http from 'node:http';
import zlib from 'node:zlib';

const arg = (n, d) => {
  const i = process.argv.indexOf(`--${n}`);
  return i > 0 ? process.argv[i + 1] : d;
};
const logFile = arg('log');
let sc = { turns: [], routes: [], queues: [] };
const load = (o) => {
  sc = { turns: [], routes: [], queues: [], ...o };
  sc.turns = [...(o.turns || [])];
  sc.routes = (o.routes || []).map((r) => ({ ...r }));
  sc.queues = (o.queues || []).map((q) => ({ ...q, turns: [...q.turns] }));
};
if (arg('scenario')) load(JSON.parse(fs.readFileSync(arg('scenario'), 'utf8')));
const log = [];
let n = 0;
let inflight = 0;
const now = () => Date.now();
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const rid = (p) => `${p}_fake${String(++n).padStart(6, '0')}`;
function record(e) {
  log.push(e);
  if (logFile) fs.appendFileSync(logFile, `${JSON.stringify(e)}\n`);
}
function update(e, kv) {
  Object.assign(e, kv);
  if (logFile) fs.appendFileSync(logFile, `${JSON.stringify({ ref: e.n, ...kv })}\n`);
}
function pick(raw, hasTools, schema) {
  for (const r of sc.routes)
    if (
      (r.times === undefined || r.times > 0) &&
      (!('tools' in r) || r.tools === hasTools) &&
      new RegExp(r.match, 's').test(raw)
    ) {
      if (r.times !== undefined) r.times--;
      return { kind: 'route', turn: r.turn };
    }
  if (hasTools) {
    const queue = sc.queues.find((q) => q.turns.length > 0 && new RegExp(q.match, 's').test(raw));
    if (queue) return { kind: 'turn', turn: queue.turns.shift() };
  }
  if (hasTools || sc.turns[0]?.any) {
    const t = sc.turns.shift();
    if (t) return { kind: 'turn', turn: t };
    return { kind: 'default', turn: sc.default || { text: 'OK (default)' } };
  }
  return {
    kind: 'side',
    turn: sc.side || (schema ? { text: JSON.stringify(fromSchema(schema)) } : { text: 'fake title' }),
  };
}
const calls = (t) => [
  ...(t.tools || []),
  ...(t.tool ? [{ name: t.tool, args: t.args || {}, custom: t.custom, namespace: t.namespace }] : []),
];
const sse = (res, ev, data) => {
  if (!res.destroyed)
    res.write(`${ev ? `event: ${ev}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
};
const parts = (s, k) => {
  if (!s) return [];
  k = Math.max(1, k || 1);
  const l = Math.ceil(s.length / k),
    o = [];
  for (let i = 0; i < s.length; i += l) o.push(s.slice(i, i + l));
  return o;
};
const use = (t) => ({ in: t.usage?.in ?? 100, out: t.usage?.out ?? 10 });

async function anthropic(res, body, t) {
  const id = rid('msg'),
    model = body.model,
    u = use(t);
  const content = [
    ...(t.text !== undefined ? [{ type: 'text', text: t.text }] : []),
    ...calls(t).map((c) => ({ type: 'tool_use', id: rid('toolu'), name: c.name, input: c.args || {} })),
  ];
  const stop_reason = t.stop_reason || (calls(t).length ? 'tool_use' : 'end_turn');
  const usage = {
    input_tokens: u.in,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: u.out,
  };
  if (!body.stream)
    return json(res, 200, {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content,
      stop_reason,
      stop_sequence: null,
      usage,
    });
  head(res, { 'request-id': rid('req') });
  sse(res, 'message_start', {
    type: 'message_start',
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    },
  });
  for (const [i, c] of content.entries()) {
    sse(res, 'content_block_start', {
      type: 'content_block_start',
      index: i,
      content_block: c.type === 'text' ? { type: 'text', text: '' } : { ...c, input: {} },
    });
    const s = c.type === 'text' ? c.text : JSON.stringify(c.input);
    for (const p of parts(s, t.chunks)) {
      sse(res, 'content_block_delta', {
        type: 'content_block_delta',
        index: i,
        delta: c.type === 'text' ? { type: 'text_delta', text: p } : { type: 'input_json_delta', partial_json: p },
      });
      if (t.chunk_ms) await sleep(t.chunk_ms);
      if (t.cut) return res.destroy();
    }
    sse(res, 'content_block_stop', { type: 'content_block_stop', index: i });
  }
  sse(res, 'message_delta', {
    type: 'message_delta',
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: u.out },
  });
  sse(res, 'message_stop', { type: 'message_stop' });
  res.end();
}
async function responses(res, body, t) {
  const id = rid('resp'),
    u = use(t),
    model = body.model;
  const out = [
    ...(t.text !== undefined
      ? [
          {
            type: 'message',
            id: rid('msg'),
            status: 'completed',
            role: 'assistant',
            content: [{ type: 'output_text', text: t.text, annotations: [] }],
          },
        ]
      : []),
    ...calls(t).map((c) =>
      c.custom
        ? {
            type: 'custom_tool_call',
            id: rid('ctc'),
            status: 'completed',
            call_id: rid('call'),
            name: c.name,
            input: typeof c.args === 'string' ? c.args : c.args.input,
          }
        : {
            type: 'function_call',
            id: rid('fc'),
            status: 'completed',
            call_id: rid('call'),
            name: c.name,
            ...(c.namespace ? { namespace: c.namespace } : {}),
            arguments: JSON.stringify(c.args || {}),
          },
    ),
  ];
  const base = {
    id,
    object: 'response',
    created_at: Math.floor(now() / 1000),
    model,
    status: 'in_progress',
    output: [],
    tools: [],
    parallel_tool_calls: true,
  };
  const done = {
    ...base,
    status: 'completed',
    output: out,
    usage: {
      input_tokens: u.in,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: u.out,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: u.in + u.out,
    },
  };
  if (!body.stream) return json(res, 200, done);
  head(res);
  let q = 0;
  const ev = (type, o) => sse(res, type, { type, sequence_number: q++, ...o });
  ev('response.created', { response: base });
  ev('response.in_progress', { response: base });
  for (const [i, it] of out.entries()) {
    if (it.type === 'message') {
      const text = it.content[0].text;
      ev('response.output_item.added', { output_index: i, item: { ...it, status: 'in_progress', content: [] } });
      ev('response.content_part.added', {
        item_id: it.id,
        output_index: i,
        content_index: 0,
        part: { type: 'output_text', text: '', annotations: [] },
      });
      for (const p of parts(text, t.chunks)) {
        ev('response.output_text.delta', { item_id: it.id, output_index: i, content_index: 0, delta: p });
        if (t.chunk_ms) await sleep(t.chunk_ms);
        if (t.cut) return res.destroy();
      }
      ev('response.output_text.done', { item_id: it.id, output_index: i, content_index: 0, text });
      ev('response.content_part.done', { item_id: it.id, output_index: i, content_index: 0, part: it.content[0] });
    } else if (it.type === 'function_call') {
      ev('response.output_item.added', { output_index: i, item: { ...it, status: 'in_progress', arguments: '' } });
      for (const p of parts(it.arguments, t.chunks))
        ev('response.function_call_arguments.delta', { item_id: it.id, output_index: i, delta: p });
      ev('response.function_call_arguments.done', { item_id: it.id, output_index: i, arguments: it.arguments });
    } else ev('response.output_item.added', { output_index: i, item: { ...it, status: 'in_progress', input: '' } });
    ev('response.output_item.done', { output_index: i, item: it });
  }
  ev('response.completed', { response: done });
  res.end();
}
async function chat(res, body, t) {
  const id = rid('chatcmpl'),
    u = use(t),
    model = body.model,
    created = Math.floor(now() / 1000),
    cs = calls(t);
  const tool_calls = cs.map((c, index) => ({
    index,
    id: rid('call'),
    type: 'function',
    function: { name: c.name, arguments: JSON.stringify(c.args || {}) },
  }));
  const fin = cs.length ? 'tool_calls' : 'stop',
    usage = { prompt_tokens: u.in, completion_tokens: u.out, total_tokens: u.in + u.out };
  if (!body.stream)
    return json(res, 200, {
      id,
      object: 'chat.completion',
      created,
      model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: t.text ?? null,
            ...(cs.length ? { tool_calls: tool_calls.map(({ index, ...r }) => r) } : {}),
          },
          finish_reason: fin,
        },
      ],
      usage,
    });
  head(res);
  const ch = (delta, finish_reason = null, extra = {}) =>
    sse(res, null, {
      id,
      object: 'chat.completion.chunk',
      created,
      model,
      choices: [{ index: 0, delta, finish_reason }],
      ...extra,
    });
  ch({ role: 'assistant', content: '' });
  for (const p of parts(t.text, t.chunks)) {
    ch({ content: p });
    if (t.chunk_ms) await sleep(t.chunk_ms);
    if (t.cut) return res.destroy();
  }
  if (cs.length) ch({ tool_calls });
  ch({}, fin);
  sse(res, null, { id, object: 'chat.completion.chunk', created, model, choices: [], usage });
  sse(res, null, '[DONE]');
  res.end();
}
async function gemini(res, t, stream, model) {
  const u = use(t),
    ps = [
      ...(t.text !== undefined ? parts(t.text, t.chunks).map((text) => ({ text })) : []),
      ...calls(t).map((c) => ({ functionCall: { id: rid('fc'), name: c.name, args: c.args || {} } })),
    ];
  const um = { promptTokenCount: u.in, candidatesTokenCount: u.out, totalTokenCount: u.in + u.out };
  const mk = (parts_, last) => ({
    candidates: [{ content: { role: 'model', parts: parts_ }, index: 0, ...(last ? { finishReason: 'STOP' } : {}) }],
    usageMetadata: um,
    modelVersion: model,
    responseId: 'fake',
  });
  if (!stream) return json(res, 200, mk(ps, true));
  head(res);
  for (const [i, p] of ps.entries()) {
    sse(res, null, mk([p], i === ps.length - 1));
    if (t.chunk_ms) await sleep(t.chunk_ms);
    if (t.cut) return res.destroy();
  }
  if (!ps.length) sse(res, null, mk([{ text: '' }], true));
  res.end();
}
function head(res, h = {}) {
  res.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
    ...h,
  });
}
function json(res, code, o, h = {}) {
  const b = JSON.stringify(o);
  res.writeHead(code, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(b), ...h });
  res.end(b);
}
function apiOf(p) {
  if (/\/messages\/count_tokens$/.test(p)) return 'anthropic-count';
  if (/\/messages$/.test(p)) return 'anthropic';
  if (/\/responses$/.test(p)) return 'responses';
  if (/\/chat\/completions$/.test(p)) return 'chat';
  if (/:countTokens$/.test(p)) return 'gemini-count';
  if (/:streamGenerateContent$/.test(p)) return 'gemini-stream';
  if (/:generateContent$/.test(p)) return 'gemini';
  return null;
}
// a side request that demands JSON (router, classifier, title schema) gets a minimal valid instance of its schema
function fromSchema(x) {
  if (!x || typeof x !== 'object') return null;
  if (x.const !== undefined) return x.const;
  if (x.enum) return x.enum[0];
  const t = String(Array.isArray(x.type) ? x.type[0] : x.type || 'object').toLowerCase();
  if (x.anyOf || x.oneOf) return fromSchema((x.anyOf || x.oneOf)[0]);
  if (t === 'string') return 'fake';
  if (t === 'integer' || t === 'number') return x.minimum ?? 1;
  if (t === 'boolean') return false;
  if (t === 'null') return null;
  if (t === 'array') return x.minItems ? [fromSchema(x.items)] : [];
  return Object.fromEntries(
    (x.required || Object.keys(x.properties || {})).map((k) => [k, fromSchema(x.properties?.[k])]),
  );
}
const schemaOf = (b) =>
  b.generationConfig?.responseJsonSchema ||
  b.generationConfig?.responseSchema ||
  b.text?.format?.schema ||
  b.response_format?.json_schema?.schema ||
  b.output_config?.format?.schema ||
  b.output_format?.schema;
const errBody = (api, code, msg) =>
  api === 'anthropic'
    ? {
        type: 'error',
        error: {
          type:
            {
              400: 'invalid_request_error',
              401: 'authentication_error',
              429: 'rate_limit_error',
              529: 'overloaded_error',
            }[code] || 'api_error',
          message: msg,
        },
      }
    : api?.startsWith('gemini')
      ? {
          error: {
            code,
            message: msg,
            status: { 429: 'RESOURCE_EXHAUSTED', 503: 'UNAVAILABLE', 400: 'INVALID_ARGUMENT' }[code] || 'INTERNAL',
          },
        }
      : { error: { message: msg, type: 'server_error', code: code === 429 ? 'rate_limit_exceeded' : 'server_error' } };
const srv = http.createServer(async (req, res) => {
  const bufs = [];
  for await (const c of req) bufs.push(c);
  let buf = Buffer.concat(bufs);
  try {
    const e = req.headers['content-encoding'];
    if (e === 'gzip') buf = zlib.gunzipSync(buf);
    else if (e === 'br') buf = zlib.brotliDecompressSync(buf);
    else if (e === 'zstd' && zlib.zstdDecompressSync) buf = zlib.zstdDecompressSync(buf);
  } catch {}
  const raw = buf.toString('utf8'),
    u = new URL(req.url, 'http://x'),
    p = u.pathname;
  if (p === '/__log') return json(res, 200, log);
  if (p === '/__state') return json(res, 200, { turnsLeft: sc.turns.length, requests: log.length, inflight });
  if (p === '/__scenario') {
    load(JSON.parse(raw));
    return json(res, 200, { ok: true });
  }
  if (p === '/__push') {
    sc.turns.push(...[].concat(JSON.parse(raw)));
    return json(res, 200, { ok: true, turnsLeft: sc.turns.length });
  }
  let body = null;
  try {
    body = JSON.parse(raw);
  } catch {}
  const api = req.method === 'POST' ? apiOf(p) : null;
  const e = {
    n: log.length,
    t: now(),
    method: req.method,
    url: req.url,
    api,
    headers: req.headers,
    body: body ?? (raw || null),
  };
  for (const k of ['authorization', 'x-api-key', 'x-goog-api-key'])
    if (e.headers[k]) e.headers[k] = `<${k}:${String(e.headers[k]).slice(0, 24)}>`;
  record(e);
  if (api === 'anthropic-count') return json(res, 200, { input_tokens: Math.ceil(raw.length / 4) });
  if (api === 'gemini-count') return json(res, 200, { totalTokens: Math.ceil(raw.length / 4) });
  if (!api || !body) {
    if (/\/models$/.test(p))
      return json(res, 200, {
        object: 'list',
        data: [{ id: 'fake-model', object: 'model', created: 0, owned_by: 'fake' }],
        models: [],
      });
    update(e, { answered: 'not-implemented' });
    return json(res, req.method === 'HEAD' ? 200 : 404, {
      error: { message: `fake: no route ${req.method} ${p}` },
    });
  }
  const hasTools = api.startsWith('gemini')
    ? !!body.tools?.some((t) => t.functionDeclarations?.length)
    : !!body.tools?.length;
  const { kind, turn } = pick(raw, hasTools, schemaOf(body));
  const t = JSON.parse(
    JSON.stringify(turn).replaceAll('{{MODEL}}', String(body.model)).replaceAll('{{N}}', String(e.n)),
  );
  update(e, { kind, turn: t, hasTools });
  inflight++;
  res.on('close', () => {
    inflight--;
    update(e, { closed: now(), finished: res.writableFinished });
  });
  if (t.delay_ms) await sleep(t.delay_ms);
  if (t.hang) {
    if (t.hang === 'stream') {
      head(res);
      res.flushHeaders?.();
    }
    return;
  }
  if (t.error)
    return json(
      res,
      t.error,
      t.error_body ?? errBody(api, t.error, t.error_message || `fake error ${t.error}`),
      t.retry_after ? { 'retry-after': t.retry_after } : {},
    );
  try {
    if (api === 'anthropic') await anthropic(res, body, t);
    else if (api === 'responses') await responses(res, body, t);
    else if (api === 'chat') await chat(res, body, t);
    else await gemini(res, t, api === 'gemini-stream', (/models\/([^:]+):/.exec(p) || [])[1]);
  } catch (err) {
    update(e, { serverError: String(err?.stack || err) });
    res.destroy();
  }
});
srv.keepAliveTimeout = 60000;
srv.listen(Number(arg('port', 0)), '127.0.0.1', () => {
  const port = srv.address().port;
  if (arg('port-file')) fs.writeFileSync(arg('port-file'), String(port));
  console.log(`fake-model http://127.0.0.1:${port}`);
});
for (const s of ['SIGTERM', 'SIGINT']) process.on(s, () => process.exit(0));
