import { vendorTypes } from '../../../schemas/blocks/integrations/vendor.ts'
import { notAvailableBlock } from '../not-available.ts'

/** Passes over blocks that call a vendor's service. */
export const vendor = notAvailableBlock(vendorTypes)
