/**
 * `fetch`, whose answers end with an error after so many bytes. Whoever reads a body whole holds all of
 * it, and a wrong address may answer for as long as one listens.
 */
export function boundedFetch(mostBytes: number): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    if (answer.body === null) return answer;
    let left = mostBytes;
    const bounded = answer.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          left -= chunk.byteLength;
          if (left < 0) controller.error(new Error('the answer is too long'));
          else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = answer;
    return new Response(bounded, { status, statusText, headers });
  };
}
