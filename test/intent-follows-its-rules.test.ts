import fc from 'fast-check';
import { INTENTS } from '../src/contracts/names';
import { intentOf } from '../src/domain/intent';

describe('the intent of a query', () => {
  it.each([
    'Book JFK to SFO for two passengers',
    'about to send the newsletter',
    "I'm looking to book a flight from New York to Seattle",
    'Could you please cancel reservation SI5UKW?',
    'how do I send a bulk email?',
    'what should I avoid when sending the newsletter',
    'should we retry the payment?',
    'Find and delete the largest file in the drive.',
    'book_reservation JFK SFO economy',
    'flight-booking.book_reservation',
    'Hi! I need some help with adjusting my flight reservation.',
    'edit numpy_handler.py',
  ])('acts: %s', (query) => {
    expect(intentOf(query)).toBe('act');
  });

  it.each([
    'who is good at refunds?',
    'Who should I ask about refunds',
    'which agent should handle the airline chat',
    'best agent for banking tasks',
    'assign the migration',
    'plan the launch of the new site',
    'split the work between two agents',
    'Draft a plan for the rollout',
    'staff the project',
  ])('plans: %s', (query) => {
    expect(intentOf(query)).toBe('plan');
  });

  it.each([
    "what is the customer's preferred airline?",
    'who is the CEO of the client',
    'When did Caroline go to the support group?',
    'What phone plan does Anna have?',
    'what happened when we sent the newsletter?',
    'What did Joanna plan to do with the recipe?',
    'list the channels',
    'get_user_details',
    'reservation 4NQLHD',
    'rate limits of the email provider',
    '東京のホテル',
    '',
  ])('looks up: %s', (query) => {
    expect(intentOf(query)).toBe('look_up');
  });

  it('does not hang on space, case or the form of an apostrophe', () => {
    expect(intentOf('  I’M ABOUT\n TO  SEND it ')).toBe('act');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (query) => {
        expect(INTENTS).toContain(intentOf(query));
        expect(intentOf(`  ${query}\n`)).toBe(intentOf(query));
      }),
    );
  });
});
