/** A user's own language and settings: read, and change by key. */
import { unprocessable } from '#contract/errors.ts'
import { Locale } from '#contract/fields.schemas.ts'
import { MySettings, mySettingsLimit, mySettingsSchemas } from '#contract/my-settings.schemas.ts'
import { mySettings } from '#contract/my-settings.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'

export const mySettingsServer = implement(mySettings, mySettingsSchemas, {
  get: (_, context) => readSettings(context),

  async set({ body }, context) {
    const { db, principal } = context
    const { settings: before } = await readSettings(context, true)
    const merged = Object.fromEntries(Object.entries({ ...before, ...body.settings }).filter(([, value]) => value !== null))
    const text = JSON.stringify(merged)
    if (Buffer.byteLength(text) > mySettingsLimit)
      throw unprocessable('user_settings_too_large', 'Your own settings are larger than what is kept here')
    await db
      .updateTable('users')
      .set({ settings: text, ...(body.locale === undefined ? {} : { locale: body.locale }) })
      .where('id', '=', principal.id)
      .execute()
    return readSettings(context)
  },
})

async function readSettings({ db, principal }: Context, toChange = false) {
  const from = db.selectFrom('users').select(['locale', 'settings']).where('id', '=', principal.id)
  const row = await (toChange ? from.forUpdate() : from).executeTakeFirstOrThrow()
  return { locale: Locale.nullable().parse(row.locale), settings: MySettings.parse(row.settings) }
}
