/** Whether messengers open an address: a whole one of the web, without blanks. */
export const isWebLink = (address: string): boolean =>
  /^https?:\/\/[^\s/]/i.test(address) && !/\s/.test(address)
