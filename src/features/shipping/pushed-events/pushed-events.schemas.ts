/** Schemas of the calls in pushed-events.contract.ts, with what the API documentation says of them. */
import type { ContractSchemas } from '#contract/endpoint.ts'

export const pushedEventsSchemas = {
  calls: {
    receive: {
      summary:
        'An event of a parcel as its courier sends it: Bring’s Event Cast with the secret in the header x-pakhus-secret, Shipmondo’s monitor as a token that is signed with the secret.',
    },
  },
} satisfies ContractSchemas
