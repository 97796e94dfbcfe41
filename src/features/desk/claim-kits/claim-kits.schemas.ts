/** Schemas of the calls in claim-kits.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'

export const ClaimEvidence = z.object({
  label: z.boolean(),
  /** Customs declarations and other papers beside the label. */
  papers: z.number().int(),
  /** Measured at the packing station, in grams; null where it was not. */
  measured_g: z.number().int().nullable(),
  /** Photos of the open box. */
  photos: z.number().int(),
  /** Clips of the packing. */
  clips: z.number().int(),
  /** What happened to the parcel. */
  events: z.number().int(),
})
export type ClaimEvidence = z.infer<typeof ClaimEvidence>

export const claimKitsSchemas = {
  components: { ClaimEvidence },
  calls: {
    evidence: { reply: ClaimEvidence, summary: 'What there is to prove a claim.' },
    download: {
      summary: 'The claim as PDF with weights and timeline, the label, the papers, the photos and the clips of the packing, as a ZIP file.',
    },
  },
} satisfies ContractSchemas
