import { longConversations, messagesOf, stands } from './support/beginning';
import { CompactionLane } from './support/compaction-lane';
import { describeWithData } from './support/data';

jest.setTimeout(540_000);

/** Messages until the next compaction has run, as a day of talk has them. */
const PART = 120;
/** Reached: .90 of the questions with all that answers them, .92 of the turns. */
const LEAST = { questions: 0.85, turns: 0.88 };

describeWithData('after hundreds of turns, without a model', (dir) => {
  let lane: CompactionLane;
  beforeAll(async () => {
    lane = await CompactionLane.start();
  });
  afterAll(() => lane?.stop());

  test('a question about the first sitting finds what was said in it', async () => {
    const found = { questions: 0, turns: 0, tokens: 0 };
    let questions = 0;
    let turns = 0;
    for (const conversation of longConversations(dir)) {
      const { agent, beginning } = conversation;
      const talk = await lane.talk(agent, { subject: `subject-of-${agent}` }, { agent });
      const messages = messagesOf(conversation);
      await lane.working({}, async () => {
        for (let from = 0; from < messages.length; from += PART) {
          await lane.tell(talk, messages.slice(from, from + PART));
          for (const handle of (await lane.send()).values()) await handle.result();
        }
      });
      const { summarized_through: through } = await lane.conversation(agent);
      // All of the first sitting is told by the summary and by nothing else.
      expect(through).toBeGreaterThan(
        conversation.turns.filter((turn) => turn.sitting === 'session_1').length,
      );
      for (const question of beginning) {
        await talk.say(['user', question.text]);
        const context = await talk.context();
        const text = context.messages.map(({ content }) => content).join('\n');
        const there = question.turns.filter((turn) => stands(text, turn, question)).length;
        questions += 1;
        turns += question.turns.length;
        found.turns += there;
        found.questions += Number(there === question.turns.length);
        found.tokens += context.tokens;
      }
    }
    const share = {
      questions: found.questions / questions,
      turns: found.turns / turns,
      tokens: Math.round(found.tokens / questions),
    };
    console.info(`beginning: ${JSON.stringify({ asked: questions, ...share })}`);
    expect(questions).toBeGreaterThan(40);
    expect(share.questions).toBeGreaterThanOrEqual(LEAST.questions);
    expect(share.turns).toBeGreaterThanOrEqual(LEAST.turns);
  });
});
