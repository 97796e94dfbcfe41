/** Schemas of the calls in device-sessions.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import { type DevicePreset, devicePresets } from '#contract/device-accounts.ts'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { text } from '#contract/fields.schemas.ts'
import { limits } from '#contract/limits.ts'
import { SessionUser } from '#contract/session.schemas.ts'
import { keysOf } from '#domain/objects.ts'

export const deviceSessionsSchemas = {
  components: {},
  calls: {
    begin: {
      body: z.strictObject({ name: text(limits.name).min(1), preset: z.enum(keysOf<Record<DevicePreset, unknown>>(devicePresets)) }),
      reply: z.object({ user: SessionUser, token: z.string() }),
      summary:
        'Makes an account for this device and signs it in; the session of the caller ends. It lasts 400 days, 30 of them unused, at addresses of the warehouse alone.',
    },
  },
} satisfies ContractSchemas
