/** Groups: who is in them, and what they allow. */
import { Alert, Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { IconDownload, IconHistory, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { permissionCode } from '#contract/access.ts'
import { stationActs } from '#contract/station-acts.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { instant } from '#ui/kit/format.ts'
import { pageState, staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { Pager } from '#ui/kit/Pager.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { errorSentence, toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useSend } from '#ui/query/calls.ts'
import { LastChangeOf } from '../companies/LastSettingChange.tsx'
import { RightsInput } from '../users/PermissionsInput.tsx'
import { areas } from '../users/permissions.labels.ts'
import { RightsWords } from '../users/permissions.labels.tsx'
import { type GroupActs, StationActsInput } from '../users/StationActsInput.tsx'
import { stationActWords } from '../users/station-acts.labels.ts'
import { users } from '../users/users.contract.ts'
import { auditWords } from './audit.labels.ts'
import { groups } from './groups.contract.ts'
import type { AuditEntry, UserGroup, UserGroupDetails } from './groups.schemas.ts'

const View = { query: urlText(), id: urlText(), audit: urlNumber(0, { least: 0 }) }
const keyOf = (row: UserGroup) => row.group_id
const refreshes = [groups.list, groups.get, users.list, users.get]

export function GroupsScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const list = useCall(groups.list, { query: url.query }, { live: ['group'], keep: true })
  const [naming, setNaming] = useState(false)
  const columns = useMemo<Column<UserGroup>[]>(
    () => [
      { key: 'name', title: t('Name'), flex: 2, cell: row => <Text truncate>{row.group_name}</Text> },
      { key: 'members', title: t('Members'), cell: row => <span className="num">{row.members}</span> },
      { key: 'rights', title: t('Permissions'), flex: 4, cell: row => <RightsWords of={row.permission} /> },
    ],
    [t],
  )
  const id = Number(url.id)
  const rows = list.data ?? []
  return (
    <Page
      title={t('User groups')}
      note={<LastChangeOf path="/groups" />}
      fill
      actions={
        <>
          <Button variant="default" leftSection={<IconHistory size={16} />} onClick={() => setUrl({ audit: 1 })}>
            {t('Permission log')}
          </Button>
          {list.data?.length === 0 && url.query === '' ? null : (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setNaming(true)}>
              {t('New group')}
            </Button>
          )}
        </>
      }
    >
      <DataTable
        name="groups"
        label={t('Groups')}
        columns={columns}
        list={{ ...staticList(rows), isLoading: list.isPending, error: list.error, refetch: () => void list.refetch() }}
        keyOf={keyOf}
        open={row => setUrl({ id: String(row.group_id) })}
        opened={Number.isInteger(id) && id > 0 ? id : null}
        toolbar={
          <FilterBar
            name="groups"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Name') }}
            filters={[]}
          />
        }
        filtered={url.query !== ''}
        clearFilters={() => setUrl({ query: '' })}
        empty={
          <EmptyList title={t('No groups yet')} action={<Button onClick={() => setNaming(true)}>{t('New group')}</Button>}>
            {t('People get the permissions of their groups beside their own.')}
          </EmptyList>
        }
        card={row => (
          <div>
            <Text fw={500}>{row.group_name}</Text>
            <Text size="sm" c="dimmed">
              {t('{{count}} people', { count: row.members })}
            </Text>
            <RightsWords of={row.permission} />
          </div>
        )}
      />
      <Drawer opened={url.id !== ''} onClose={() => setUrl({ id: '' })} size={640} title={t('Group')}>
        {Number.isInteger(id) && id > 0 ? <OpenGroup key={id} id={id} close={() => setUrl({ id: '' })} /> : null}
      </Drawer>
      {naming ? (
        <NameDialog
          close={() => setNaming(false)}
          made={group => {
            setNaming(false)
            setUrl({ id: String(group.group_id) })
          }}
        />
      ) : null}
      <Drawer opened={url.audit > 0} onClose={() => setUrl({ audit: 0 })} size={640} title={t('Permission log')}>
        {url.audit > 0 ? <AuditLog /> : null}
      </Drawer>
    </Page>
  )
}

function NameDialog({ close, made }: { close: () => void; made: (group: UserGroupDetails) => void }) {
  const t = useT()
  const [name, setName] = useState('')
  const create = useSend(groups.create, { refreshes, quiet: true, said: t('Group created'), done: made })
  return (
    <Dialog opened onClose={close} title={t('New group')}>
      <form
        onSubmit={event => {
          event.preventDefault()
          create.mutate({ name: name.trim() })
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t('Name')}
            data-autofocus
            maxLength={60}
            value={name}
            error={create.error ? errorSentence(create.error) : undefined}
            onChange={event => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={create.isPending} {...disabledBecause(name.trim() === '' && t('Enter a name first'))}>
              {t('Create group')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function OpenGroup({ id, close }: { id: number; close: () => void }) {
  const answer = useCall(groups.get, { id }, { live: ['group'] })
  return (
    <QueryState of={answer} shape="form">
      {group => <GroupForm key={group.version} group={group} close={close} />}
    </QueryState>
  )
}

function GroupForm({ group, close }: { group: UserGroupDetails; close: () => void }) {
  const t = useT()
  const [name, setName] = useState(group.group_name)
  const [permission, setPermission] = useState(group.permission)
  const [acts, setActs] = useState<GroupActs>(group)
  const known = useCall(groups.stations, {})
  const rename = useSend(groups.setName, { refreshes, said: t('Group renamed') })
  const setRights = useSend(groups.setPermission, { refreshes, said: t('Permissions saved') })
  const remove = useSend(groups.remove, { refreshes, said: t('Group removed'), done: close })
  const gives = permission.filter(code => !group.permission.includes(code))
  const takes = group.permission.filter(code => !permission.includes(code))
  const actsChanged = JSON.stringify([acts.acts, acts.stations]) !== JSON.stringify([group.acts, group.stations])
  const changed = gives.length + takes.length > 0 || actsChanged
  const given = [
    wordsOf(t, gives),
    ...actWords(
      t,
      acts.acts.filter(act => !group.acts.includes(act)),
    ),
  ]
    .filter(Boolean)
    .join(', ')
  const taken = [
    wordsOf(t, takes),
    ...actWords(
      t,
      group.acts.filter(act => !acts.acts.includes(act)),
    ),
  ]
    .filter(Boolean)
    .join(', ')
  const askRemove = async () => {
    const sure = await confirm({
      title: t('Remove {{name}}?', { name: group.group_name }),
      body: t('{{count}} people lose what they have through this group.', { count: group.members }),
      action: t('Remove group'),
      danger: true,
    })
    if (sure) remove.mutate({ id: group.group_id })
  }
  return (
    <Stack gap="xl">
      <Group align="end" gap="sm">
        <TextInput
          label={t('Name')}
          maxLength={60}
          value={name}
          style={{ flex: 1 }}
          onChange={event => setName(event.currentTarget.value)}
        />
        <Button
          variant="default"
          loading={rename.isPending}
          {...disabledBecause(
            name.trim() === '' ? t('Enter a name first') : name.trim() === group.group_name && t('Nothing has been changed yet'),
          )}
          onClick={() => rename.mutate({ id: group.group_id, name: name.trim() })}
        >
          {t('Rename')}
        </Button>
      </Group>
      <Members group={group} />
      <Stack gap="sm">
        <RightsInput value={permission} before={group.permission} onChange={setPermission} group />
        <StationActsInput value={acts} before={group} known={known.data ?? []} onChange={setActs} />
        {(given || taken) && group.members > 0 ? (
          <Alert color="amber">
            {given ? (
              <Text size="sm">{t('Gives {{count}} people: {{permissions}}', { count: group.members, permissions: given })}</Text>
            ) : null}
            {taken ? (
              <Text size="sm">{t('Takes from {{count}} people: {{permissions}}', { count: group.members, permissions: taken })}</Text>
            ) : null}
          </Alert>
        ) : null}
        <Group justify="flex-end">
          <Button
            loading={setRights.isPending}
            {...disabledBecause(
              !changed
                ? t('Nothing has been changed yet')
                : acts.acts.length > 0 && acts.stations?.length === 0 && t('Choose a station, or every station'),
            )}
            onClick={() =>
              setRights.mutate({
                id: group.group_id,
                body: {
                  version: group.version,
                  permission,
                  acts: [...acts.acts],
                  stations: acts.acts.length === 0 || acts.stations === null ? null : [...acts.stations],
                },
              })
            }
          >
            {t('Save permissions')}
          </Button>
        </Group>
      </Stack>
      <Group>
        <Button variant="subtle" color="brick" onClick={() => void askRemove()}>
          {t('Remove group')}
        </Button>
      </Group>
    </Stack>
  )
}

const actWords = (t: ReturnType<typeof useT>, acts: GroupActs['acts']): string[] => acts.map(act => t(stationActWords[act].title))

/** `Orders and shipments (Lead), Picking (Standard)`. */
function wordsOf(t: ReturnType<typeof useT>, ids: readonly number[]): string {
  const codes = ids.map(permissionCode)
  if (codes.includes('admin')) return t('Everything')
  return areas
    .flatMap(area => area.levels.filter(level => codes.includes(level.code)).map(level => `${t(area.title)} (${t(level.title)})`))
    .join(', ')
}

function Members({ group }: { group: UserGroupDetails }) {
  const t = useT()
  const [query, setQuery] = useState('')
  const people = useCall(groups.users, { query, limit: 50 }, { live: ['user'], keep: true })
  const add = useSend(groups.addUser, { refreshes: [...refreshes, groups.users], said: t('Added to the group') })
  const remove = useSend(groups.removeUser, { refreshes: [...refreshes, groups.users], said: t('Removed from the group') })
  const inside = new Set(group.people.map(person => person.user_id))
  return (
    <Stack gap="sm">
      <Select
        label={t('Add a person')}
        placeholder={t('Search people')}
        searchable
        value={null}
        searchValue={query}
        onSearchChange={setQuery}
        data={(people.data?.rows ?? [])
          .filter(one => !inside.has(one.user_id))
          .map(one => ({ value: String(one.user_id), label: one.name }))}
        filter={({ options }) => options}
        onChange={value => {
          if (value) add.mutate({ id: group.group_id, user_id: Number(value) })
          setQuery('')
        }}
      />
      <Table>
        <Table.Tbody>
          {group.people.map(person => (
            <Table.Tr key={person.user_id}>
              <Table.Td>
                <Text size="sm" fw={500}>
                  {person.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {person.only_here.length > 0
                    ? t('Only through this group: {{permissions}}', { permissions: wordsOf(t, person.only_here) })
                    : t('Added by {{name}}', { name: person.added_by })}
                </Text>
              </Table.Td>
              <Table.Td>
                <Group justify="flex-end">
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="brick"
                    aria-label={t('Remove {{name}} from the group', { name: person.name })}
                    onClick={() => remove.mutate({ id: group.group_id, user_id: person.user_id })}
                  >
                    {t('Remove')}
                  </Button>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}

function AuditLog() {
  const t = useT()
  const [query, setQuery] = useState('')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [page, setPage] = useState(1)
  const filter = { query, from: from || undefined, to: to || undefined }
  const answer = useCall(groups.audit, { ...filter, page, limit: 50 }, { live: ['group', 'user'], keep: true })
  const state = pageState(answer, { page, limit: 50 })
  const save = async () => saveFile(await send(groups.exportAudit, filter))
  return (
    <Stack gap="md">
      <Group align="end" gap="sm">
        <TextInput label={t('Name')} value={query} onChange={event => setQuery(event.currentTarget.value)} />
        <TextInput type="date" label={t('From')} value={from} onChange={event => setFrom(event.currentTarget.value)} />
        <TextInput type="date" label={t('Until')} value={to} onChange={event => setTo(event.currentTarget.value)} />
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => void save().catch(toastError)}>
          {t('Export')}
        </Button>
      </Group>
      <QueryState of={answer} shape="rows">
        {() => (
          <Table>
            <Table.Tbody>
              {state.rows.map(entry => (
                <AuditRow key={entry.id} entry={entry} />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </QueryState>
      <Pager byTime page={page} pages={Math.ceil(state.total / 50)} turn={setPage} />
    </Stack>
  )
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const t = useT()
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={500}>
          {t(auditWords[entry.kind])}: {entry.subject}
          {entry.with ? ` · ${entry.with}` : ''}
        </Text>
        {entry.given.length > 0 ? <Text size="sm">{t('Given: {{permissions}}', { permissions: codeWords(t, entry.given) })}</Text> : null}
        {entry.taken.length > 0 ? <Text size="sm">{t('Taken: {{permissions}}', { permissions: codeWords(t, entry.taken) })}</Text> : null}
        <Text size="xs" c="dimmed">
          {entry.actor} · {instant(entry.at)}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}

const codeWords = (t: ReturnType<typeof useT>, codes: readonly string[]): string =>
  codes.includes('admin')
    ? t('Everything')
    : [
        ...areas.flatMap(area =>
          area.levels.filter(level => codes.includes(level.code)).map(level => `${t(area.title)} (${t(level.title)})`),
        ),
        ...actWords(
          t,
          stationActs.filter(act => codes.includes(act)),
        ),
      ].join(', ')
