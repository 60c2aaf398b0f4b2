/** A concrete thing that is said once in a long conversation, and asked about at its end. */
export interface Planted {
  /** What the user says; absent where a tool does. */
  says?: string;
  /** What a tool gives, amid 20 KB of other things, and the assistant's answer from it. */
  tool?: { value: string; answer: string };
  asks: string;
  /** What has to stand in the context: all of it. */
  keeps: string[];
  kind: string;
}

const said = (kind: string, says: string, asks: string, ...keeps: string[]): Planted => ({
  kind,
  says,
  asks,
  keeps,
});
const read = (value: string, answer: string, asks: string, ...keeps: string[]): Planted => ({
  kind: 'tool result',
  tool: { value, answer },
  asks,
  keeps,
});

/** Sixty, of the project's own making. Contacts become tokens on the way: `keeps` of those is the kind of the token. */
export const PLANTED: readonly Planted[] = [
  said(
    'name',
    'The caretaker of the boathouse is called Ottoline Frew.',
    'Who is the caretaker of the boathouse?',
    'Ottoline Frew',
  ),
  said('name', 'My piano teacher was Bertil Askov.', 'Who was my piano teacher?', 'Bertil Askov'),
  said(
    'name',
    'The spare keys are with our neighbour Philippa Quill.',
    'Which neighbour has the spare keys?',
    'Philippa Quill',
  ),
  said(
    'place',
    'The reunion takes place in Uddevalla.',
    'Where does the reunion take place?',
    'Uddevalla',
  ),
  said(
    'place',
    'We parked the trailer behind the Grimsby Observatory.',
    'Where did we park the trailer?',
    'Grimsby Observatory',
  ),
  said(
    'place',
    'The pottery kiln stands in Market Harborough now.',
    'Where does the pottery kiln stand?',
    'Market Harborough',
  ),
  said(
    'date',
    'The passport runs out on 14 February 2027.',
    'When does the passport run out?',
    '14 February 2027',
  ),
  said(
    'date',
    'The lease of the workshop ends on 2026-09-30.',
    'When does the lease of the workshop end?',
    '2026-09-30',
  ),
  said(
    'date',
    'The chimney sweep comes on March 3rd, 2025.',
    'When does the chimney sweep come?',
    'March 3rd, 2025',
  ),
  said(
    'relative date',
    'I renewed the fishing permit yesterday.',
    'When did I renew the fishing permit?',
    'fishing permit yesterday (',
  ),
  said(
    'relative date',
    'The vet appointment for the tortoise is next month.',
    'When is the vet appointment for the tortoise?',
    'next month (',
  ),
  said(
    'relative date',
    'We planted the quince tree last week.',
    'When did we plant the quince tree?',
    'last week (week of',
  ),
  said(
    'time',
    'The night train to Narvik departs at 21:47.',
    'At what time does the night train to Narvik depart?',
    '21:47',
  ),
  said(
    'time',
    'The choir rehearsal was moved to 6:15 pm.',
    'To what time was the choir rehearsal moved?',
    '6:15 pm',
  ),
  said(
    'time',
    'The bakery opens at 5:40 am on market days.',
    'When does the bakery open on market days?',
    '5:40 am',
  ),
  said(
    'money',
    'The deposit for the marquee was $1,385.50.',
    'How much was the deposit for the marquee?',
    '$1,385.50',
  ),
  said(
    'money',
    'The second-hand accordion costs 640 EUR.',
    'What does the second-hand accordion cost?',
    '640 EUR',
  ),
  said('money', 'Our roof repair budget is £4,200.', 'What is our roof repair budget?', '£4,200'),
  said(
    'number',
    'The water tank holds 730 litres.',
    'How much does the water tank hold?',
    '730 litres',
  ),
  said('number', 'The ridge trail is 17.5 km long.', 'How long is the ridge trail?', '17.5 km'),
  said(
    'number',
    'We need 43 chairs for the recital.',
    'How many chairs do we need for the recital?',
    '43 chairs',
  ),
  said(
    'number',
    'The sourdough wants 68% hydration.',
    'What hydration does the sourdough want?',
    '68%',
  ),
  said(
    'address',
    'The upholsterer is at 27 Larkspur Lane.',
    'What is the address of the upholsterer?',
    '27 Larkspur Lane',
  ),
  said(
    'address',
    'Deliver the canvas to 1408 Foundry Street.',
    'Where is the canvas to be delivered?',
    '1408 Foundry Street',
  ),
  said(
    'address',
    'Mein Schneider hat seine Werkstatt in der Gerbergasse 9.',
    'In welcher Gasse hat mein Schneider seine Werkstatt?',
    'Gerbergasse 9',
  ),
  said(
    'url',
    'The floor plan is at https://plans.example.org/annex/v4.',
    'Where is the floor plan of the annex?',
    'https://plans.example.org/annex/v4',
  ),
  said(
    'url',
    'The rota lives at https://rota.example.net/shifts?team=kayak.',
    'Where does the kayak rota live?',
    'https://rota.example.net/shifts?team=kayak',
  ),
  said(
    'id',
    'The insurance claim has the number CLM-88213-Q.',
    'What number does the insurance claim have?',
    'CLM-88213-Q',
  ),
  said('id', 'Our locker at the pool is B-417.', 'Which locker at the pool is ours?', 'B-417'),
  said(
    'id',
    'The seed order went through as SO_2209_77.',
    'As what did the seed order go through?',
    'SO_2209_77',
  ),
  said(
    'id',
    'The telescope carries serial 7f3a91c04d.',
    'Which serial does the telescope carry?',
    '7f3a91c04d',
  ),
  said(
    'id',
    'The backup was tagged 3c2e8f14-9a07-4d5b-b1e6-5f0a7c9d2e88.',
    'How was the backup tagged?',
    '3c2e8f14-9a07-4d5b-b1e6-5f0a7c9d2e88',
  ),
  said(
    'version',
    'The greenhouse controller runs firmware 4.11.2.',
    'Which firmware does the greenhouse controller run?',
    '4.11.2',
  ),
  said(
    'file',
    'The tax figures are in records/2025/quarterly-tax.xlsx.',
    'Which file are the tax figures in?',
    'records/2025/quarterly-tax.xlsx',
  ),
  said(
    'file',
    'Edit the spillway settings in spillway_limits.yaml.',
    'Which file holds the spillway settings?',
    'spillway_limits.yaml',
  ),
  said(
    'quoted',
    'The plaque on the bench reads "Rest awhile, wanderer".',
    'What does the plaque on the bench read?',
    'Rest awhile, wanderer',
  ),
  said(
    'quoted',
    'The wifi in the cabin is named "Badger Hollow".',
    'What is the wifi in the cabin named?',
    'Badger Hollow',
  ),
  said(
    'contact',
    'Write to the luthier at strings.and.bows@luthier-workshop.com.',
    'How do I write to the luthier?',
    '[EMAIL_',
  ),
  said(
    'contact',
    'The ferry office answers on +47 22 93 65 41.',
    'On which phone does the ferry office answer?',
    '[PHONE_',
  ),
  said(
    'contact',
    'Complaints about the ice rink go to rink-complaints@iceworks-arena.org.',
    'Where do complaints about the ice rink go?',
    '[EMAIL_',
  ),
  said(
    'decision',
    'We decided to paint the shutters teal.',
    'What colour did we decide on for the shutters?',
    'teal',
  ),
  said(
    'decision',
    "Let's go with the cedar decking.",
    'Which decking did we go with?',
    'cedar decking',
  ),
  said(
    'decision',
    'I agreed to chair the orchard committee.',
    'Which committee did I agree to chair?',
    'orchard committee',
  ),
  said(
    'decision',
    'From now on the newsletter goes out on Tuesdays.',
    'On which day does the newsletter go out?',
    'Tuesdays',
  ),
  said(
    'decision',
    'We cancelled the hot-air balloon ride.',
    'What became of the balloon ride?',
    'cancelled the hot-air balloon ride',
  ),
  said(
    'open',
    'I still need to return the cement mixer.',
    'What about the cement mixer?',
    'return the cement mixer',
  ),
  said(
    'open',
    'Remind me to oil the weather vane.',
    'What about the weather vane?',
    'oil the weather vane',
  ),
  said(
    'open',
    'We are waiting for the quote of the stonemason.',
    'What are we waiting for from the stonemason?',
    'quote of the stonemason',
  ),
  said(
    'open',
    'TODO: measure the attic hatch.',
    'What is to be done about the attic hatch?',
    'measure the attic hatch',
  ),
  said(
    'other language',
    'El taller de bicicletas cierra a las 18:30.',
    '¿A qué hora cierra el taller de bicicletas?',
    '18:30',
  ),
  said(
    'other language',
    'Die Zisterne fasst 5200 Liter.',
    'Wie viel fasst die Zisterne?',
    '5200 Liter',
  ),
  said(
    'other language',
    'Le rendez-vous chez le notaire coûte 95 euros.',
    'Combien coûte le rendez-vous chez le notaire ?',
    '95 euros',
  ),
  said(
    'other language',
    '茶室の予約番号は KY-3391 です。',
    '茶室の予約番号は何ですか。',
    'KY-3391',
  ),
  read(
    '"gate": "K19"',
    'Your flight to Turku leaves from gate K19.',
    'Which gate does the flight to Turku leave from?',
    'K19',
  ),
  read(
    '"tracking": "TRK5520917"',
    'The parcel with the lanterns has tracking TRK5520917.',
    'What tracking does the parcel with the lanterns have?',
    'TRK5520917',
  ),
  read(
    '"balance": 918.4',
    'The balance of the allotment account is 918.4.',
    'What is the balance of the allotment account?',
    '918.4',
  ),
  read(
    '"ref": "PRM-0617-X"',
    'The building permit is filed under PRM-0617-X.',
    'Under what is the building permit filed?',
    'PRM-0617-X',
  ),
  read(
    '"depth_m": 37.25',
    'The survey gives a well depth of 37.25 metres.',
    'How deep is the well by the survey?',
    '37.25',
  ),
  read(
    '"batch": "LOT-A7-2281"',
    'The varnish is from batch LOT-A7-2281.',
    'Which batch is the varnish from?',
    'LOT-A7-2281',
  ),
  read(
    '"slot": "2026-07-19T10:30"',
    'The sawmill slot is 2026-07-19 at 10:30.',
    'When is the sawmill slot?',
    '2026-07-19',
  ),
];

const FILLER =
  '"status": "archived", "note": "nothing to report for this entry", "owner": "nobody", "level": 0';

/** 20 KB of JSON with the value somewhere in the middle of it. */
export function rawResult(value: string): string {
  const lines = Array.from({ length: 210 }, (_, n) => `{ "row": ${n % 10}, ${FILLER} }`);
  lines[117] = `{ "row": 7, ${value} }`;
  return `[${lines.join(',\n')}]`;
}
