/** What every mail to a user begins with: to whom, from which company, and in which language. */
import { Locale } from '#contract/fields.schemas.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { translatorFor } from '#platform/http/translations.ts'
import type { MailWriter } from './mail-sender.server.ts'

type Delivery = Parameters<MailWriter>[0]
type Services = Parameters<MailWriter>[1]

/** Null where the user whom the delivery is about has left or has no address. `find` reads in the same transaction what the mail says. */
export async function letterTo<T>(
  { operator_id, company_id, object_id }: Pick<Delivery, 'operator_id' | 'company_id' | 'object_id'>,
  services: Services,
  find: (db: Db, settings: Awaited<ReturnType<typeof companySettings>>) => Promise<T>,
) {
  const scope = { operator_id, company_id, companies: [company_id] }
  const { user, company, settings, found } = await services.database.readOnly(scope, async db => {
    const known = await companySettings(db, company_id)
    return {
      user: await db
        .selectFrom('users')
        .select(['name', 'email', 'locale'])
        .where('id', '=', object_id)
        .where('removed_at', 'is', null)
        .executeTakeFirst(),
      company: await db.selectFrom('companies').select(['code', 'name']).where('id', '=', company_id).executeTakeFirstOrThrow(),
      settings: known,
      found: await find(db, known),
    }
  })
  if (!user?.email) return null
  const locale = Locale.nullable().parse(user.locale) ?? settings.locale
  const t = await translatorFor(locale)
  return { t, locale, company, name: user.name, address: user.email, time_zone: settings.time_zone, found }
}
