/** Schemas of the calls in my-settings.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from './endpoint.ts'
import { Locale } from './fields.schemas.ts'

/** Settings that follow the user to every device; screens name their own keys. */
export const MySettings = z.record(z.string().regex(/^[a-z][a-z0-9_.:-]{0,59}$/i), z.json())
/** Size limit in bytes of JSON. */
export const mySettingsLimit = 32_768

export const mySettingsSchemas = {
  calls: {
    get: {
      reply: z.object({ locale: Locale.nullable(), settings: MySettings }),
      summary: 'The caller’s own language and settings.',
    },
    set: {
      body: z.strictObject({
        locale: Locale.nullable().optional(),
        /** Merged key by key; null removes one. */
        settings: MySettings.optional(),
      }),
      reply: z.object({ locale: Locale.nullable(), settings: MySettings }),
      summary: 'Changes the caller’s own language and settings; what is left out stays.',
    },
  },
} satisfies ContractSchemas
