/** A user's own language and settings. Every list of the interface stores its columns and views here. */
import * as z from 'zod'
import { call, calls } from './endpoint.ts'
import { Locale } from './limits.ts'

/** Settings that follow the user to every device; screens name their own keys. */
export const MySettings = z.record(z.string().regex(/^[a-z][a-z0-9_.:-]{0,59}$/i), z.json())
/** Size limit in bytes of JSON. */
export const mySettingsLimit = 32_768

export const mySettings = calls(
  { name: 'mySettings', area: 'company', access: 'user' },
  {
    get: call('GET user/my_setting/data', {
      reply: z.object({ locale: Locale.nullable(), settings: MySettings }),
      summary: 'The caller’s own language and settings.',
    }),
    set: call('POST user/my_setting/data', {
      body: z.strictObject({
        locale: Locale.nullable().optional(),
        /** Merged key by key; null removes one. */
        settings: MySettings.optional(),
      }),
      reply: z.object({ locale: Locale.nullable(), settings: MySettings }),
      summary: 'Changes the caller’s own language and settings; what is left out stays.',
    }),
  },
)
