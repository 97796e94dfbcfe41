/** Schemas of the calls in groups.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import { permissions } from '#contract/access.ts'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Instant, Station, text } from '#contract/fields.schemas.ts'
import { page, pageQuery } from '#contract/page.ts'
import { stationActs } from '#contract/station-acts.ts'
import { permissionEvents } from './groups.codes.ts'

const PermissionIds = z.array(z.number().int().min(1).max(permissions.length)).max(permissions.length)
const GroupName = text(60).min(1, 'Give the group a name')

const UserGroup = z.object({
  group_id: z.number().int(),
  group_name: z.string(),
  /** Numeric permission ids, as `PermissionLookup` names them. Empty for callers who only plan or address people. */
  permission: z.array(z.number().int()),
  /** What members may do at packing stations as a lead may. */
  acts: z.array(z.enum(stationActs)),
  /** Where the acts hold; null means at every station. */
  stations: z.array(z.string()).nullable(),
  members: z.number().int(),
  version: z.number().int(),
})
export type UserGroup = z.infer<typeof UserGroup>

const GroupMember = z.object({
  user_id: z.number().int(),
  name: z.string(),
  employee_no: z.string().nullable(),
  added_by: z.string(),
  added_at: Instant,
  /** Permissions that this person has through this group alone. */
  only_here: z.array(z.number().int()),
})
export const UserGroupDetails = UserGroup.extend({ people: z.array(GroupMember) })
export type UserGroupDetails = z.infer<typeof UserGroupDetails>

const Person = z.object({
  user_id: z.number().int(),
  name: z.string(),
  employee_no: z.string().nullable(),
  has_image: z.boolean(),
  group_ids: z.array(z.number().int()),
})
export type GroupPerson = z.infer<typeof Person>

const AuditEntry = z.object({
  id: z.number().int(),
  at: Instant,
  kind: z.enum(permissionEvents),
  /** Who changed it. */
  actor: z.string(),
  /** Whose permissions, or which group's. */
  subject: z.string(),
  /** The group or the person beside it. */
  with: z.string().nullable(),
  given: z.array(z.string()),
  taken: z.array(z.string()),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const AuditFilter = z.object({
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  user_id: z.coerce.number<unknown>().int().positive().optional(),
  query: text(120).default(''),
})
export type AuditFilter = z.output<typeof AuditFilter>

const named = { name: GroupName }

export const groupsSchemas = {
  components: { UserGroup, UserGroupDetails },
  calls: {
    list: {
      query: z.object({ query: text(120).default('') }),
      reply: z.array(UserGroup),
      summary: 'The groups of this company with the number of their members.',
    },
    users: {
      query: pageQuery.extend({ query: text(120).default('') }),
      reply: page(Person),
      summary: 'People of this company by name, with the groups that they are in.',
    },
    stations: { reply: z.array(z.string()), summary: 'Names of the packing stations that are known.' },
    get: { reply: UserGroupDetails, summary: 'One group with its members, and what each has through it alone.' },
    create: {
      params: named,
      reply: UserGroupDetails,
      summary: 'Makes a group without permissions. Sent twice within a minute it answers the same group.',
    },
    setName: { params: named, reply: UserGroupDetails, summary: 'Renames a group.' },
    addUser: {
      reply: UserGroupDetails,
      summary: 'Adds a person: it gives the permissions of the group, so the caller has to have them. A second time changes nothing.',
    },
    removeUser: { reply: UserGroupDetails, summary: 'Takes a person out of a group; the last administrator stays one.' },
    remove: { summary: 'Removes a group: its members lose what they had through it.' },
    setPermission: {
      body: z.strictObject({
        version: z.number().int().positive(),
        permission: PermissionIds,
        /** Absent: as before. */
        acts: z.array(z.enum(stationActs)).max(stationActs.length).optional(),
        stations: z.array(Station).min(1).max(100).nullable().optional(),
      }),
      reply: UserGroupDetails,
      summary: 'Sets the permissions of a group and its acts at packing stations; they count with the next request of each member.',
    },
    audit: {
      query: pageQuery.extend(AuditFilter.shape),
      reply: page(AuditEntry),
      summary: 'Changes of permissions, of groups and of badges and PINs, the latest first.',
    },
    exportAudit: { query: AuditFilter, summary: 'The same as CSV.' },
  },
} satisfies ContractSchemas
