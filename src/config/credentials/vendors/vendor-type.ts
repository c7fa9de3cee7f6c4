import type { Static, TObject } from '@sinclair/typebox'
import type { VendorAccount } from '../../../ports/credentials-port.ts'

/** A type of account at a vendor: what its entry holds, and what becomes of it. */
export interface VendorType {
  readonly schema: TObject
  /** Takes data that the schema has accepted. Throws `UnusableAccountError`. */
  open(data: unknown): VendorAccount
}

/** Data that has the shape of an account and is none. Shows nothing of what stands there. */
export class UnusableAccountError extends Error {
  readonly at: string
  readonly complaint: string

  /** `at` is a JSON pointer into the data. */
  constructor(at: string, complaint: string) {
    super(`${at} ${complaint}`)
    this.at = at
    this.complaint = complaint
  }
}

/** Declares a type of account: ties what opens it to its schema, and forgets the type of its data. */
export function defineVendor<Schema extends TObject>(
  schema: Schema,
  open: (data: Static<Schema>) => Omit<VendorAccount, 'recent'>,
): VendorType {
  return { schema, open: (data) => ({ ...open(data as Static<Schema>), recent: new Map() }) }
}

/** An account that is a key in one header, at an address that an entry may replace. */
export function keyInHeader(
  header: string,
  { apiKey, baseUrl }: { readonly apiKey: string; readonly baseUrl: string },
  prefix = '',
): Omit<VendorAccount, 'recent'> {
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    secrets: [apiKey],
    grant: () => ({ headers: [[header, `${prefix}${apiKey}`]] }),
  }
}
