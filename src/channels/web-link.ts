/** Longest address that is taken: half of a message, and what browsers and servers take too. */
export const longestLink = 2_048

/** Whether messengers open an address: a whole one of the web, without blanks, and no longer than they take. */
export const isWebLink = (address: string): boolean =>
  address.length <= longestLink &&
  address.isWellFormed() &&
  /^https?:\/\/[^\s/\p{Cc}][^\s\p{Cc}]*$/iu.test(address)
