/** Enough to find the place, and no flood from deep recursion. */
const MOST_FRAMES = 12;

/**
 * Where an error came from: functions, files and lines. Its message may hold content, and may look
 * like frames itself, so it is cut out whole; where it cannot be found, there are no frames.
 */
export function framesOf(error: unknown): string[] {
  if (!(error instanceof Error) && !isErrorLike(error)) return [];
  const { stack, message } = error;
  if (typeof stack !== 'string' || typeof message !== 'string') return [];
  const at = stack.indexOf(message);
  if (at === -1) return [];
  return stack
    .slice(at + message.length)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^at .*(?::\d+:\d+|<anonymous>|native)\)?$/.test(line))
    .slice(0, MOST_FRAMES);
}

function isErrorLike(value: unknown): value is { stack: unknown; message: unknown } {
  return typeof value === 'object' && value !== null && 'stack' in value && 'message' in value;
}
