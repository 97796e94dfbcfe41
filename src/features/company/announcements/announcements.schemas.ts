/** Schemas of the calls in announcements.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant, Locale, text } from '#contract/fields.schemas.ts'
import { locales } from '#contract/limits.ts'
import { page, pageQuery } from '#contract/page.ts'
import {
  announcementModes,
  announcementPhases,
  announcementSorts,
  announcementWords,
  longestBody,
  longestTitle,
  readerStates,
} from './announcements.codes.ts'

const flag = z.preprocess(value => value === '1' || value === 'true' || value === true, z.boolean()).default(false)
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Id = z.number().int().positive()

const Text = z.strictObject({ title: text(longestTitle), body: text(longestBody) })
/** By language. A language whose title and text are empty counts as left out; that of the company is needed. */
const Texts = z
  .strictObject({
    en_GB: Text.optional(),
    da_DK: Text.optional(),
    de_DE: Text.optional(),
    no_NO: Text.optional(),
    sv_SE: Text.optional(),
  })
  .superRefine((texts, context) => {
    for (const locale of locales) {
      const { title = '', body = '' } = texts[locale] ?? {}
      if (title === '' && body !== '') context.addIssue({ code: 'custom', path: [locale, 'title'], message: announcementWords.title })
      if (title !== '' && body === '') context.addIssue({ code: 'custom', path: [locale, 'body'], message: announcementWords.body })
    }
  })

const Fields = z.strictObject({
  mode: z.enum(announcementModes),
  /** True for all people of the company; else it is for the groups and people named. */
  everyone: z.boolean().default(true),
  group_ids: z.array(Id).max(100).default([]),
  user_ids: z.array(Id).max(500).default([]),
  from_at: z.iso.datetime({ offset: true }),
  to_at: z.iso.datetime({ offset: true }).nullable().default(null),
  texts: Texts,
  /** Shows it to people from `from_at` on. A change of a published text is a new version in any case. */
  publish: z.boolean().default(false),
})
export const AnnouncementFields = Fields.superRefine((fields, context) => {
  if (!fields.everyone && fields.group_ids.length + fields.user_ids.length === 0)
    context.addIssue({ code: 'custom', path: ['group_ids'], message: announcementWords.audience })
  if (fields.to_at !== null && Date.parse(fields.to_at) <= Date.parse(fields.from_at))
    context.addIssue({ code: 'custom', path: ['to_at'], message: announcementWords.period })
})
export type AnnouncementFields = z.output<typeof Fields>

const Named = z.object({ id: z.number().int(), name: z.string() })

const Row = z.object({
  id: z.number().int(),
  title: z.string(),
  mode: z.enum(announcementModes),
  phase: z.enum(announcementPhases),
  from_at: Instant,
  to_at: Instant.nullable(),
  /** The version that people read; 0 before the first. */
  version_no: z.number().int(),
  everyone: z.boolean(),
  /** Names of the groups and people that it is for, for those who manage announcements. */
  groups: z.array(Named),
  people: z.array(Named),
  /** How many people it is for and how many of them have read or agreed; null for readers. */
  asked: z.number().int().nullable(),
  agreed: z.number().int().nullable(),
  /** When the caller read or agreed. */
  my_agreement: Instant.nullable(),
  changed_at: Instant,
  reminded_at: Instant.nullable(),
  version: z.number().int(),
})
export type AnnouncementRow = z.infer<typeof Row>

const ReaderText = z.object({ locale: Locale, title: z.string(), body: z.string() })

export const Announcement = Row.extend({
  /** In the language of the caller. */
  text: ReaderText,
  /** In every language, for those who manage announcements; null for readers. */
  texts: z.partialRecord(Locale, z.object({ title: z.string(), body: z.string() })).nullable(),
  versions: z.array(z.object({ no: z.number().int(), sha256: z.string(), published_at: Instant, published_by: z.string() })),
})
export type Announcement = z.infer<typeof Announcement>

export const Waiting = z.object({
  id: z.number().int(),
  mode: z.enum(announcementModes),
  version_no: z.number().int(),
  sha256: z.string(),
  published_at: Instant,
  text: ReaderText,
})
export type WaitingAnnouncement = z.infer<typeof Waiting>

/** A text that the caller has read or agreed with, word for word. */
const MyAgreement = z.object({
  id: z.number().int(),
  mode: z.enum(announcementModes),
  version_no: z.number().int(),
  /** The newest version; a greater one has changed since. */
  latest_no: z.number().int(),
  at: Instant,
  published_at: Instant,
  /** In the language in which it was read. */
  text: ReaderText,
})
export type MyAgreement = z.infer<typeof MyAgreement>

export const Agreement = z.strictObject({
  version_no: z.number().int().positive(),
  /** Of the version that was read. */
  sha256: Sha256,
  /** The language in which it was read. */
  locale: Locale,
})
export type Agreement = z.output<typeof Agreement>

const Question = z.object({
  /** Of the title. */
  query: text(120).default(''),
  phase: z.enum(announcementPhases).optional(),
  mode: z.enum(announcementModes).optional(),
  sort: z.enum(announcementSorts).default('-changed'),
  /** Only what is for the caller, as readers see it. */
  mine: flag,
})
export type AnnouncementQuestion = z.output<typeof Question>

const Reader = z.object({
  user_id: z.number().int(),
  name: z.string(),
  /** The newest version that the person read or agreed with; null where it is none. */
  version_no: z.number().int().nullable(),
  at: Instant.nullable(),
  locale: z.string().nullable(),
  /** Whether nothing is asked of the person any more. */
  done: z.boolean(),
  has_email: z.boolean(),
})
export type AnnouncementReader = z.infer<typeof Reader>

const ReaderQuestion = z.object({ query: text(120).default(''), state: z.enum(readerStates).optional() })
export type ReaderQuestion = z.output<typeof ReaderQuestion>

export const announcementsSchemas = {
  components: { Announcement, AnnouncementFields },
  calls: {
    list: {
      query: pageQuery.extend(Question.shape),
      reply: page(Row),
      summary: 'Announcements for the caller; those who manage them see all, with how many people have read or agreed.',
    },
    get: {
      query: z.object({ version: z.coerce.number<unknown>().int().positive().optional() }),
      reply: Announcement,
      summary: 'One announcement in the language of the caller, or an earlier version of it.',
    },
    waiting: { reply: z.array(Waiting), summary: 'What the caller has to read or agree with now; what must be agreed with stands first.' },
    mine: {
      query: pageQuery,
      reply: page(MyAgreement),
      summary: 'Every text that the caller has read or agreed with, in the version and language that was read, the newest first.',
    },
    create: {
      body: AnnouncementFields.safeExtend({ client_id: z.uuid().optional() }),
      reply: Announcement,
      summary: 'Writes an announcement, as a draft or published. Sent again with the same `client_id` it answers the first.',
    },
    update: {
      body: AnnouncementFields.safeExtend({ version: z.number().int().min(1) }),
      reply: Announcement,
      summary:
        'Changes an announcement; a published text that changes is a new version. 409 with the current state when the version is old.',
    },
    agree: {
      body: Agreement,
      summary: 'Records that the caller has read or agreed with this version; again changes nothing. 409 when there is a newer text.',
    },
    remove: { summary: 'Removes a draft; a published announcement is withdrawn and keeps who agreed. Again is no mistake.' },
    export: { query: Question, summary: 'The list as a CSV file.' },
    readers: {
      query: pageQuery.extend(ReaderQuestion.shape),
      reply: page(Reader),
      summary: 'Whom an announcement is for, with the version that each has read or agreed with, and when.',
    },
    exportReaders: { query: ReaderQuestion, summary: 'The same as a CSV file.' },
    remind: {
      reply: z.object({
        /** People who get a mail, and those who have no e-mail address. */
        reminded: z.number().int(),
        without_email: z.number().int(),
      }),
      summary: 'Sends a mail to everyone who has not read or agreed yet; at most once an hour.',
    },
  },
} satisfies ContractSchemas
