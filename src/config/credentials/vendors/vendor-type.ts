import type { Static, TObject } from '@sinclair/typebox'
import type { VendorAccount } from '../../../ports.ts'

/** A type of account at a vendor: what its entry holds, and what becomes of it. */
export interface VendorType {
  readonly schema: TObject
  /** Takes data that the schema has accepted. */
  open(data: unknown): VendorAccount
}

/** Declares a type of account: ties what opens it to its schema, and forgets the type of its data. */
export function defineVendor<Schema extends TObject>(
  schema: Schema,
  open: (data: Static<Schema>) => VendorAccount,
): VendorType {
  return { schema, open: (data) => open(data as Static<Schema>) }
}

/** An account that is a key in one header, at an address that an entry may replace. */
export function keyInHeader(
  header: string,
  { apiKey, baseUrl }: { readonly apiKey: string; readonly baseUrl: string },
  prefix = '',
): VendorAccount {
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    secrets: [apiKey],
    grant: () => ({ headers: [[header, `${prefix}${apiKey}`]] }),
  }
}
