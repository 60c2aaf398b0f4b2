import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import * as proto from '@temporalio/proto';
import { patchProtobufRoot } from '@temporalio/proto/lib/patch-protobuf-root';

type History = proto.temporal.api.history.v1.IHistory;

const FOLDER = join(__dirname, '..', 'histories');
const STICKY_QUEUE = /^\d+@/;

export interface CommittedHistory {
  /** File name without `.json`: workflow and ending, as in `capture.carded`. */
  name: string;
  workflowType: string;
  history: History;
}

/**
 * Writes a finished workflow's history to test/histories when the run records
 * (`CAIRN_RECORD_HISTORIES=true`), and does nothing otherwise: a committed history is the past, and
 * only a person decides to replace it. The form is that of Temporal's own tools.
 *
 * @param name - workflow and ending, as in `proposal.expired`
 */
export async function saveHistory(
  name: string,
  handle: Pick<WorkflowHandle, 'fetchHistory'>,
): Promise<void> {
  if (process.env.CAIRN_RECORD_HISTORIES !== 'true') return;
  const { json, type } = protobufJson();
  const history = json.toJson(
    type,
    proto.temporal.api.history.v1.History.fromObject(await handle.fetchHistory()),
  );
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(history, withoutMachine, 1)}\n`);
}

/** The recording machine's name says nothing a replay needs. */
function withoutMachine(key: string, value: unknown): unknown {
  if (key === 'identity') return 'recorder';
  if (key === 'stackTrace') return '';
  // The queue that one worker keeps for itself is named for its process and its machine.
  if (key === 'name' && STICKY_QUEUE.test(String(value))) return 'recorder-sticky';
  return value;
}

/** @param folder below test/histories: `runtime` has those of workflows that are not Cairn's own */
export function committedHistories(folder = ''): CommittedHistory[] {
  return readdirSync(join(FOLDER, folder))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => readHistory(join(folder, file)));
}

function readHistory(file: string): CommittedHistory {
  const { json, type } = protobufJson();
  const text = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  const history = json.fromJson(type, text, { ignoreUnknownFields: true });
  const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
  const workflowType = started?.workflowType?.name;
  if (!workflowType) throw new Error(`${file} does not begin with the start of a workflow`);
  return { name: file.slice(0, -'.json'.length), workflowType, history };
}

interface ProtobufJson {
  toJson(type: unknown, message: unknown): unknown;
  fromJson(type: unknown, json: unknown, options: { ignoreUnknownFields: boolean }): History;
}

/**
 * The SDK has these two functions, but npm gives its packages a protobufjs each, and one copy refuses the
 * types of another ("type must be a Type", 1.24.0). So we take the copy that the types were made with.
 */
function protobufJson(): { json: ProtobufJson; type: unknown } {
  const beside = { paths: [require.resolve('@temporalio/proto')] };
  const json: ProtobufJson = require(require.resolve('protobufjs/ext/protojson', beside));
  const root: { lookupType(name: string): unknown } = patchProtobufRoot(proto as never);
  return { json, type: root.lookupType('temporal.api.history.v1.History') };
}
