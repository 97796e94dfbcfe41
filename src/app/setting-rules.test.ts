/** Setting back announcements, campaigns and groups: what their own rules allow, and no more. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Permission, permissionId } from '#contract/access.ts'
import { session } from '#contract/session.ts'
import { announcements } from '#features/company/announcements/announcements.contract.ts'
import { settingChanges } from '#features/company/companies/setting-changes.contract.ts'
import { groups } from '#features/company/groups/groups.contract.ts'
import { users } from '#features/company/users/users.contract.ts'
import { campaigns } from '#features/shipping/campaigns/campaigns.contract.ts'
import { announcement, campaign } from '#test/setting-samples.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'

let testApp: TestApp
let operator: TestOperator
let astrid: TestUser
let olav: TestUser
let picture: Blob
beforeAll(async () => {
  testApp = await openTestApp()
  operator = await testApp.operator()
  astrid = await operator.hire(['admin'], operator.main, 'Astrid Holm')
  olav = await operator.hire(['settings_admin', 'users_admin', 'pick_admin'], operator.main, 'Olav Berg')
  picture = (await sharp({ create: { width: 2000, height: 1200, channels: 3, background: '#2a7' } })
    .png()
    .toBuffer()) as unknown as Blob
})
afterAll(() => testApp.close())

const history = async (path: string, by = astrid) => (await by.send(settingChanges.list, { path, limit: 50 })).rows
const setBack = (id: number | undefined, by = astrid) => by.send(settingChanges.setBack, { id: id ?? 0 })

describe('setting back an announcement', () => {
  const path = '/settings/announcement-config'
  const rowOf = async (id: number, part: string) => (await history(path)).find(row => row.name === `announcements.${id}.${part}`)

  it('whose text was published makes a new version, and leaves those that people read as they are', async () => {
    const { id, version } = await astrid.send(announcements.create, { body: { ...announcement, publish: true } })
    const texts = { en_GB: { title: 'Forklifts', body: 'Both ways' } }
    await olav.send(announcements.update, { id, body: { ...announcement, texts, version } })
    const read = await astrid.send(announcements.get, { id })
    await setBack((await rowOf(id, 'texts'))?.id)
    const now = await astrid.send(announcements.get, { id })
    expect(now).toMatchObject({ version_no: 3, texts: { en_GB: { body: 'One way only' } } })
    expect(now.versions.slice(1)).toEqual(read.versions)
    expect(await astrid.send(announcements.get, { id, version: 2 })).toMatchObject({ texts })
    // It is no addition that can be taken back any more.
    const added = await rowOf(id, 'entry')
    await expect(setBack(added?.id)).rejects.toMatchObject({ status: 409 })
  })

  it('that was published or withdrawn is refused in a sentence', async () => {
    const { id, version } = await astrid.send(announcements.create, { body: announcement })
    await astrid.send(announcements.update, { id, body: { ...announcement, publish: true, version } })
    await expect(setBack((await rowOf(id, 'state'))?.id)).rejects.toMatchObject({ status: 409, code: 'announcement_published' })
    await astrid.send(announcements.remove, { id })
    await expect(setBack((await rowOf(id, 'state'))?.id)).rejects.toMatchObject({ status: 409, code: 'announcement_withdrawn' })
  })
})

it('a removed draft of a campaign comes back with its words, without its pictures', async () => {
  const { id } = await astrid.send(campaigns.create, { body: campaign })
  await astrid.send(campaigns.setPicture, { id, locale: 'en_GB', variant: 'a', upload: picture })
  const rows = async () => (await history('/settings/campaign-config')).filter(row => row.name.startsWith(`campaigns.${id}.`))
  expect((await rows())[0]).toMatchObject({ before: 'removed', after: 'set', can_set_back: false, label: 'Image' })
  await olav.send(campaigns.remove, { id })
  await setBack((await rows())[0]?.id)
  expect((await astrid.send(campaigns.get, { id })).contents).toMatchObject([{ headline: 'Sale', alt: 'A lamp', picture: null }])
})

it('a campaign that was published is no draft again, and goes on where it was paused', async () => {
  const { id } = await astrid.send(campaigns.create, { body: campaign })
  await astrid.send(campaigns.setPicture, { id, locale: 'en_GB', variant: 'a', upload: picture })
  const lastState = async () => (await history('/settings/campaign-config')).find(row => row.name === `campaigns.${id}.state`)
  await astrid.send(campaigns.setActive, { id, active: 'true' })
  await expect(setBack((await lastState())?.id)).rejects.toMatchObject({ status: 409, code: 'campaign_published' })
  await astrid.send(campaigns.setActive, { id, active: 'false' })
  await setBack((await lastState())?.id)
  expect(await astrid.send(campaigns.get, { id })).toMatchObject({ state: 'active' })
  await astrid.send(campaigns.remove, { id })
  await expect(setBack((await lastState())?.id)).rejects.toMatchObject({ status: 409, code: 'campaign_ended' })
})

describe('setting back a group', () => {
  const rowOf = async (id: number, part: string, by = astrid) =>
    (await history('/groups', by)).find(row => row.name === `groups.${id}.${part}`)
  const withPermission = async (name: string, ...codes: Permission[]) => {
    const { group_id: id, version } = await astrid.send(groups.create, { name })
    await astrid.send(groups.setPermission, { id, body: { permission: codes.map(permissionId), version } })
    return id
  }

  it('gives no one a permission that the person who sets it back does not hold', async () => {
    const id = await withPermission('Payroll', 'salary_admin')
    const { version } = await astrid.send(groups.get, { id })
    await astrid.send(groups.setPermission, { id, body: { permission: [], version } })
    const taken = await rowOf(id, 'permission', olav)
    expect(taken).toMatchObject({ before: ['salary_admin'], after: [], can_set_back: true })
    await expect(setBack(taken?.id, olav)).rejects.toMatchObject({ status: 403, code: 'cannot_grant_permissions' })
    await setBack(taken?.id)
    await astrid.send(groups.remove, { id })
    const removed = await rowOf(id, 'entry', olav)
    await expect(setBack(removed?.id, olav)).rejects.toMatchObject({ status: 403, code: 'cannot_grant_permissions' })
    expect((await astrid.send(groups.list, {})).some(one => one.group_id === id)).toBe(false)
  })

  it('gives its members what they had, and is refused where its name is taken', async () => {
    const id = await withPermission('Night', 'pick')
    const kim = await operator.hire([], operator.main, 'Kim Lund')
    await astrid.send(groups.addUser, { id, user_id: kim.user_id })
    await olav.send(groups.remove, { id })
    const removed = await rowOf(id, 'entry')
    const other = await astrid.send(groups.create, { name: 'night' })
    await expect(setBack(removed?.id)).rejects.toMatchObject({ status: 409, code: 'group_name_taken' })
    await astrid.send(groups.remove, { id: other.group_id })
    await setBack(removed?.id, olav)
    expect(await astrid.send(groups.get, { id })).toMatchObject({ permission: [permissionId('pick')], people: [{ name: 'Kim Lund' }] })
    expect((await kim.send(session.current, {})).user.permission).toEqual([permissionId('pick')])
    // Its addition would take it from its members.
    await expect(setBack((await rowOf(id, 'entry'))?.id)).rejects.toMatchObject({ status: 409, code: 'setting_entry_used' })
  })

  it('leaves the last administrator', async () => {
    const alone = await testApp.operator()
    const boss = await alone.hire(['admin'], alone.main)
    const { group_id: id, version } = await boss.send(groups.create, { name: 'Administrators' })
    await boss.send(groups.setPermission, { id, body: { permission: [permissionId('admin')], version } })
    const { user } = await boss.send(users.create, { body: { name: 'Mette Friis', user_name: 'mette', permission: [] } })
    await boss.send(groups.addUser, { id, user_id: user.user_id })
    const given = await rowOf(id, 'permission', boss)
    const editor = await alone.hire(['users_admin'], alone.main)
    await expect(setBack(given?.id, editor)).rejects.toMatchObject({ status: 403, code: 'admin_group' })
    // She alone can sign in with a password.
    await expect(setBack(given?.id, boss)).rejects.toMatchObject({ status: 409, code: 'last_admin' })
  })
})
