/** The page's own words. In braces stands what is filled in; a name of a key is what `settings.general.words` calls it. */
export const words = {
  // The frame
  conversation: 'Conversation',
  online: 'Online',
  connecting: 'Connecting …',
  close: 'Close',
  startAgain: 'Start again',
  progress: 'Progress',
  you: 'You:',
  answerComing: 'The answer is on its way',
  newMessages: 'New messages',
  ended: 'This conversation has ended.',

  // Messages of the flow
  picture: 'Picture',
  video: 'Video',
  play: 'Play',
  pause: 'Pause',
  embeddedPage: 'Embedded page',
  notShown: 'This can’t be shown here.',
  unknownMessage: 'This page does not show a message of this kind.',
  brokenOff: 'The answer broke off.',
  newTab: 'Continue in new tab',
  aiDisclosure: 'You are chatting with an AI.',
  byModel: 'Written by an AI',

  // Fields
  send: 'Send',
  yourMessage: 'Your message',
  yourAnswer: 'Your answer',
  number: 'A number',
  email: 'Email address',
  webAddress: 'Web address',
  phone: 'Phone number',
  date: 'Date',
  from: 'From',
  to: 'To',
  time: 'Time',
  notSent: 'Not sent',

  // Choices and ratings
  chooseOne: 'Choose one',
  chooseAny: 'Choose any',
  searchChoices: 'Search the choices',
  search: 'Search …',
  nothingFound: 'Nothing found',
  select: 'Select',
  pictureNumber: 'Picture {number}',
  rating: 'Rating',
  ratingOf: '{rating} of {highest}',

  // Files and recordings
  attachFiles: 'Attach files',
  chooseFile: 'Choose a file, or drop it here',
  chooseFiles: 'Choose files, or drop them here',
  uploading: 'Uploading …',
  uploadFailed: '{file}: the upload failed',
  clear: 'Clear',
  skip: 'Skip',
  record: 'Record',
  stopAndSend: 'Stop and send',
  recording: 'Recording',
  noMicrophone: 'The microphone can not be used.',

  // Payments
  payment: 'Payment',
  pay: 'Pay',
  paid: 'Paid',
  unpayable: 'This can’t be paid at present.',

  // What is amiss, and what helps
  tryNow: 'Try now',
  wordsAreSafe: 'Your words are safe.',
  triedAgain: 'It is tried again by itself.',
  offline: 'You are offline.',
  connectionLost: 'The connection was lost.',
  takesLong: 'This takes longer than usual.',
  tooMuchToDo: 'There is too much to do at the moment.',
  tooOften: 'That was very often in a short time.',
  tooLong: 'This text is too long. Please shorten it, and send it again.',
  notTaken: 'That could not be taken. Please change it, and send it again.',
  otherTab: 'This conversation has gone on in another tab. What is asked now is shown below.',
  over: 'This conversation is over.',
  noConversation: 'There is no such conversation.',
  cannotBegin: 'This conversation can not begin.',
  cannotGoOn: 'This conversation can not go on.',
  somethingWrong: 'Something went wrong.',
}

export type Words = Readonly<Record<keyof typeof words, string>>
