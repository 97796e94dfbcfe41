/** Schemas of the calls in packing-evidence.contract.ts, with what the API documentation says of them. */
import type { ContractSchemas } from '#contract/endpoint.ts'

export const packingEvidenceSchemas = {
  calls: {
    download: {
      summary:
        'How an order was packed, as a ZIP file: labels, packing slip, weights, a timeline of scans and events, photos and clips. It names no packer.',
    },
  },
} satisfies ContractSchemas
