/** Announcements: handlers. */
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
import { agreeWith, askerOf, createAnnouncement, remindOf, removeAnnouncement, updateAnnouncement } from './announcements.commands.ts'
import { announcements } from './announcements.contract.ts'
import { agreementsOf, announcementById, listAnnouncements, listReaders, waitingFor } from './announcements.queries.ts'
import { announcementsSchemas } from './announcements.schemas.ts'
import { announcementList } from './announcements-history.server.ts'

/** Rows of a file: more than a company has announcements or people. */
const whole = { page: 1, limit: 50_000 }

export const announcementsServer = implement(announcements, announcementsSchemas, {
  list: (question, context) => listAnnouncements(context.db, askerOf(context), question, context.now()),
  get: ({ id, version }, context) => announcementById(context.db, askerOf(context), id, context.now(), version),
  waiting: (_, context) => waitingFor(context.db, askerOf(context), context.now()),
  mine: (paging, context) => agreementsOf(context.db, askerOf(context), paging),
  create: ({ body }, context) =>
    addEntry(
      announcementList,
      context,
      () => createAnnouncement(context, body),
      added => added.id,
    ),
  update: ({ id, body }, context) => changeEntry(announcementList, context, id, () => updateAnnouncement(context, id, body)),
  agree: ({ id, body }, context) => agreeWith(context, id, body, { user_id: context.principal.id, name: context.principal.name }),
  remove: ({ id }, context) => changeEntry(announcementList, context, id, () => removeAnnouncement(context, id)),

  async export(question, context) {
    const { rows } = await listAnnouncements(context.db, askerOf(context), { ...question, ...whole }, context.now())
    return {
      bytes: csv(
        [
          'id',
          'title',
          'mode',
          'phase',
          'from_at',
          'to_at',
          'version_no',
          'everyone',
          'groups',
          'people',
          'asked',
          'agreed',
          'reminded_at',
        ],
        rows.map(row => [
          ...[row.id, row.title, row.mode, row.phase, row.from_at, row.to_at, row.version_no, String(row.everyone)],
          ...[row.groups.map(one => one.name).join(', '), row.people.map(one => one.name).join(', ')],
          ...[row.asked, row.agreed, row.reminded_at],
        ]),
      ),
      media_type: 'text/csv; charset=utf-8',
      name: `announcements-${context.principal.company.code}.csv`,
    }
  },

  async readers({ id, ...question }, context) {
    await announcementById(context.db, askerOf(context), id, context.now())
    return listReaders(context.db, id, question)
  },

  async exportReaders({ id, ...question }, context) {
    const { title } = await announcementById(context.db, askerOf(context), id, context.now())
    const { rows } = await listReaders(context.db, id, { ...question, ...whole })
    return {
      bytes: csv(
        ['announcement', 'name', 'done', 'version_no', 'at', 'locale'],
        rows.map(row => [title, row.name, String(row.done), row.version_no, row.at, row.locale]),
      ),
      media_type: 'text/csv; charset=utf-8',
      name: `announcement-${id}-${context.principal.company.code}.csv`,
    }
  },

  remind: ({ id }, context) => remindOf(context, id),
})
