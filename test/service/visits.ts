import type { Visit } from './visitor.ts'

/** What visitors of each sample flow do: between them they see every bubble, every input and every branch. */
export const visits: Readonly<Record<string, readonly Visit[]>> = {
  'lead-form': [
    {
      title: 'a company that needs a shop, and mistypes everything',
      lines: [
        { at: 'text input', says: 'Ada' },
        { at: 'choice input', says: 'A rocket', isRefused: true },
        { at: 'choice input', picks: ['An online shop'] },
        { at: 'number input', says: 'a few', isRefused: true },
        { at: 'number input', says: '5001', isRefused: true },
        { at: 'number input', says: '12' },
        { at: 'email input', says: 'ada at home', isRefused: true },
        { at: 'email input', says: 'Ada@Engines.example' },
        { at: 'phone number input', says: '12', isRefused: true },
        { at: 'phone number input', says: '020 7946 0018' },
        { at: 'url input', says: 'none yet', isRefused: true },
        { at: 'url input', says: 'https://engines.example' },
        { at: 'date input', says: 'some day', isRefused: true },
        { at: 'date input', says: '2027-03-04T10:30' },
      ],
      endsWith:
        /^Thank you, Ada! We call you on \*\*Thursday 4 March, 10:30\*\*\.\n+Your reference is [\w-]+\./,
    },
    {
      title: 'somebody who sends a brief',
      start: { prefilledVariables: { Name: 'Grace' } },
      lines: [
        { at: 'text input', says: 'Grace' },
        { at: 'choice input', picks: ['Something else'] },
        { at: 'text input', says: 'A compiler', uploads: ['PNG 1', 'PNG 2'], fileType: 'image/png' },
        { at: 'email input', says: 'grace@navy.example' },
        { at: 'phone number input', says: '+1 202-555-0143' },
        { at: 'url input', says: 'https://navy.example' },
        { at: 'date input', says: '2027-03-04T16:00' },
      ],
      endsWith: /^Thank you, Grace!/,
    },
  ],
  'coffee-bar': [
    {
      title: 'somebody new, who asks for what there is not',
      lines: [
        { at: 'choice input', says: 'A beer', isRefused: true },
        { at: 'choice input', picks: ['Cappuccino'] },
      ],
      endsWith: 'One **Cappuccino**, coming up. I will remember.',
    },
    {
      title: 'a regular, who takes the usual',
      start: { prefilledVariables: { Usual: 'Tea' } },
      lines: [{ at: 'choice input', picks: ['Yes, please'] }],
      endsWith: 'One **Tea**, coming up. I will remember.',
    },
    {
      title: 'a regular, who takes something else',
      start: { prefilledVariables: { Usual: 'Tea' } },
      lines: [
        { at: 'choice input', picks: ['Something else'] },
        { at: 'choice input', picks: ['Espresso'] },
      ],
      endsWith: 'One **Espresso**, coming up. I will remember.',
    },
  ],
  'opening-hours': [{ title: 'somebody who only reads', lines: [], endsWith: /9 to 17/ }],
  'plant-help': [
    {
      title: 'somebody with a cactus, whose second question the model refuses',
      lines: [
        { at: 'text input', says: 'How much water does a cactus need?' },
        { at: 'choice input', says: 'A dance', isRefused: true },
        { at: 'choice input', picks: ['Another question'] },
        { at: 'text input', says: 'Do you sell roses?' },
        { at: 'choice input', picks: ['That is all'] },
      ],
      endsWith: 'Happy growing!',
    },
  ],
  'product-quiz': [
    {
      title: 'a commuter, who is greeted shortly',
      beginsWith: 'b-short',
      lines: [
        { at: 'picture choice input', says: 'By boat', isRefused: true },
        { at: 'picture choice input', picks: ['Through town'] },
        { at: 'number input', says: '2000', isRefused: true },
        { at: 'number input', says: '20' },
        { at: 'choice input', says: 'Wings', isRefused: true },
        { at: 'choice input', picks: ['Lights', 'Luggage rack'] },
        { at: 'rating input', says: '6', isRefused: true },
        { at: 'rating input', says: '4' },
        { at: 'cards', says: 'Fly away', isRefused: true },
        { at: 'cards', picks: ['Not now'] },
      ],
      endsWith: 'Your Daily 1 waits for you. Ride safe!',
    },
    {
      title: 'a racer, who is greeted at length and books',
      beginsWith: 'b-long',
      lines: [
        { at: 'picture choice input', picks: ['On the open road'] },
        { at: 'number input', says: '250' },
        { at: 'choice input', picks: ['Mudguards'] },
        { at: 'rating input', says: '5' },
        { at: 'cards', picks: ['Book a test ride'] },
      ],
      endsWith: 'The calendar is open in a new tab. See you soon!',
    },
    {
      title: 'a rider in the woods',
      lines: [
        { at: 'picture choice input', picks: ['Through the woods'] },
        { at: 'number input', says: '95' },
        { at: 'choice input', picks: ['Lights', 'Mudguards', 'Luggage rack'] },
        { at: 'rating input', says: '1' },
        { at: 'cards', picks: ['Not now'] },
      ],
      endsWith: 'Your Trailhead 5 waits for you. Ride safe!',
    },
  ],
  'support-triage': [
    {
      title: 'a customer with a manager',
      start: { prefilledVariables: { Plan: 'business' } },
      lines: [{ at: 'choice input', picks: ['Talk to my account manager'] }],
      endsWith: 'I am bringing somebody in. Hold on!',
    },
    {
      title: 'somebody who looks for an order, and then sends a bill',
      lines: [
        { at: 'choice input', says: 'Talk to my account manager', isRefused: true },
        { at: 'choice input', picks: ['An order'] },
        { at: 'text input', says: 'It is the blue one' },
        { at: 'text input', says: 'nw-12345' },
        { at: 'choice input', picks: ['Yes'] },
        { at: 'choice input', picks: ['A bill'] },
        { at: 'file input', says: 'it is in my bag', isRefused: true },
        { at: 'file input', uploads: ['PDF', 'PDF again'], fileType: 'application/pdf' },
        { at: 'choice input', picks: ['No, thank you'] },
      ],
      endsWith: 'Glad to help. Bye!',
    },
    {
      title: 'somebody who asks for the hours',
      lines: [
        { at: 'choice input', picks: ['Opening hours'] },
        { at: 'choice input', says: 'Perhaps', isRefused: true },
        { at: 'choice input', says: 'No, thank you' },
      ],
      endsWith: 'Glad to help. Bye!',
    },
    {
      title: 'somebody without the bill, who calls for a person',
      lines: [
        { at: 'choice input', picks: ['A bill'] },
        { at: 'file input', saysNothing: true },
        { at: 'choice input', commands: 'agent' },
      ],
      endsWith: 'I am bringing somebody in. Hold on!',
    },
  ],
}
