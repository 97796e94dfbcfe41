/** Reads templates of messages. */
import * as z from 'zod'
import { orNotFound } from '#contract/errors.ts'
import type { Locale } from '#contract/limits.ts'
import type { Db } from '#platform/database/database.ts'
import { type MessageChannel, type MessageTrigger, mostTemplates } from './templates.codes.ts'
import { MessageTemplate } from './templates.schemas.ts'

const columns = [
  'id',
  'index',
  'channel',
  'locale',
  'trigger',
  'name',
  'subject',
  'body',
  'blocks',
  'choices',
  'urgent',
  'delay_minutes',
  'active',
  'version',
  'updated_at',
] as const

/** With the layout that was made of its blocks. */
const StoredTemplate = MessageTemplate.extend({ layout: z.string() })
export type StoredTemplate = z.infer<typeof StoredTemplate>

const templatesIn = (db: Db, company_id: number) =>
  db
    .selectFrom('message_templates')
    .select([...columns, 'layout'])
    .where('company_id', '=', company_id)
    .where('removed_at', 'is', null)

export interface AskedTemplates {
  channel?: MessageChannel | undefined
  trigger?: MessageTrigger | undefined
  locale?: Locale | undefined
}

export async function templatesOf(db: Db, company_id: number, asked: AskedTemplates = {}): Promise<StoredTemplate[]> {
  let from = templatesIn(db, company_id)
  if (asked.channel) from = from.where('channel', '=', asked.channel)
  if (asked.trigger) from = from.where('trigger', '=', asked.trigger)
  if (asked.locale) from = from.where('locale', '=', asked.locale)
  const rows = await from.orderBy('trigger').orderBy('name').orderBy('channel').orderBy('locale').limit(mostTemplates).execute()
  return z.array(StoredTemplate).parse(rows)
}

const found = (row: unknown): StoredTemplate => StoredTemplate.parse(orNotFound(row, 'template_not_found', 'Template not found'))

export const templateById = async (db: Db, company_id: number, id: number): Promise<StoredTemplate> =>
  found(await templatesIn(db, company_id).where('id', '=', id).executeTakeFirst())
export const templateByIndex = async (db: Db, company_id: number, index: number): Promise<StoredTemplate> =>
  found(await templatesIn(db, company_id).where('index', '=', index).executeTakeFirst())

export const withoutLayout = ({ layout: _, ...template }: StoredTemplate): MessageTemplate => template

/** The same message in another language, where there is one: of an occasion, or of the same name. */
export function inLanguage(templates: readonly StoredTemplate[], template: StoredTemplate, locale: Locale): StoredTemplate {
  const same = (one: StoredTemplate) =>
    one.channel === template.channel && one.trigger === template.trigger && (one.trigger !== 'manual' || one.name === template.name)
  return templates.find(one => one.active && one.locale === locale && same(one)) ?? template
}
