/** Templates of messages in the history of settings, and setting them back. */
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import { sendsTemplate } from '#features/shipping/courier-events/courier-events.queries.ts'
import { checkTexts, layoutFor } from './template-texts.server.ts'
import { removeTemplate, restoreTemplate, updateTemplate } from './templates.commands.ts'
import { templatesOf } from './templates.queries.ts'
import { TemplateFields } from './templates.schemas.ts'

export const templateList: SettingList<TemplateFields> = {
  name: 'message_templates',
  Fields: TemplateFields,
  title: fields => fields.name,
  async find({ db, principal }, place) {
    const template = (await templatesOf(db, principal.company.id)).find(one => one.id === Number(place))
    if (!template) return undefined
    const { id: _id, index: _index, updated_at: _at, layout: _layout, version, ...fields } = template
    return { fields, version }
  },
  async add(context, place, fields) {
    checkTexts(fields)
    return restoreTemplate(context, Number(place), fields, await layoutFor(fields))
  },
  async change(context, place, fields, version) {
    checkTexts(fields)
    return updateTemplate(context, Number(place), version, fields, await layoutFor(fields))
  },
  remove: (context, place) => removeTemplate(context, Number(place)),
  isUsed: ({ db }, place) => sendsTemplate(db, Number(place)),
}
