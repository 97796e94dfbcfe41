/** Users: find, edit and remove people, and set their permissions. */
import { Alert, Avatar, Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { permissions } from '#contract/access.ts'
import type { AccountKind } from '#contract/device-accounts.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Copied, CopyButton } from '#ui/kit/CopyButton.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { instant } from '#ui/kit/format.ts'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { Slot } from '#ui/kit/Slot.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { keyOf as keyOfCall, saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { PermissionSources } from './PermissionSources.tsx'
import { passwordLinks } from './password-links.contract.ts'
import type { Invitation } from './password-links.schemas.ts'
import { areas } from './permissions.labels.ts'
import { RightsWords } from './permissions.labels.tsx'
import { ShownUser } from './shown-user.client.ts'
import { UserCredentials } from './UserCredentials.tsx'
import { UserFactors } from './UserFactors.tsx'
import { UserForm } from './UserForm.tsx'
import { UserSessions } from './UserSessions.tsx'
import { userViews } from './users.codes.ts'
import { users } from './users.contract.ts'
import type { User } from './users.schemas.ts'

const Url = {
  query: urlText(),
  permission: urlChoice(['', ...permissions], ''),
  only: urlChoice(['', ...userViews], ''),
  group_id: urlNumber(0, { least: 0 }),
  sort: urlChoice(['name', '-name', 'employee_no', '-employee_no', '-created_at'], 'name'),
  page: urlNumber(1),
  /** Id of the open user, or `new` or `device` for a new one. */
  id: urlText(),
}

const keyOf = (row: User) => row.user_id

/** A password that the server made: shown until it is dismissed, and never again. */
interface Shown {
  name: string
  login: string
  password: string
}

export function UsersScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(Url)
  const { user: me } = useSignedIn()
  const [shown, setShown] = useState<Shown | null>(null)
  const asked = {
    ...{ query: url.query, permission: url.permission || undefined },
    ...{ only: url.only || undefined, group_id: url.group_id || undefined },
  }
  const list = usePagedList(users.list, { ...asked, sort: url.sort, page: url.page, limit: 50 }, { live: ['user', 'group'], keyOf })
  const known = useCall(users.groups, {}, { live: ['group', 'user'] })
  const [invited, setInvited] = useState<{ name: string; invitation: Invitation } | null>(null)
  const invite = useCommand((user: User) => send(passwordLinks.invite, { id: user.user_id }), {
    done: (invitation, { name }) => setInvited({ name, invitation }),
  })
  const remove = useSend(users.remove, {
    refreshes: [users.list],
    said: t('User removed'),
    done: () => {
      setUrl({ id: '' })
      list.showPendingChanges()
    },
  })
  const open = (id: number | 'new' | 'device') => setUrl({ id: String(id) })
  const close = () => setUrl({ id: '' })
  const signOut = useSend(users.endSessions, { refreshes: [users.sessions, users.list], said: t('The device is signed out') })
  const askRemove = async (user: User) => {
    const sure = await confirm({
      title: t('Remove {{name}}?', { name: user.name }),
      body: t('They are signed out at once and cannot sign in again. What they did stays in the history.'),
      action: t('Remove user'),
      danger: true,
    })
    if (sure) remove.mutate({ id: user.user_id })
  }
  const saveAs = async (format: 'csv' | 'xlsx') => saveFile(await send(users.export, { ...asked, format }))
  const columns = useMemo<Column<User>[]>(
    () => [
      {
        key: 'name',
        title: t('Name'),
        flex: 2,
        sort: true,
        cell: row => (
          <Group gap="xs" wrap="nowrap">
            <Avatar size={28} name={row.name} color="gray" aria-hidden />
            <Text truncate>{row.name}</Text>
          </Group>
        ),
      },
      { key: 'role', title: t('Role'), cell: row => row.role ?? '–' },
      { key: 'rights', title: t('Permissions'), flex: 3, cell: row => <RightsWords of={row.effective} /> },
      { key: 'groups', title: t('Groups'), flex: 2, cell: row => row.groups.map(group => group.group_name).join(', ') || '–' },
      { key: 'login', title: t('Signs in as'), flex: 2, cell: row => row.user_name ?? row.email ?? row.employee_no ?? '–' },
      { key: 'email', title: t('E-mail'), flex: 2, hidden: true, cell: row => row.email ?? '–' },
      { key: 'phone', title: t('Phone'), hidden: true, cell: row => row.phone ?? '–' },
      { key: 'employee_no', title: t('Employee number'), sort: true, cell: row => row.employee_no ?? '–' },
      { key: 'last_seen_at', title: t('Last here'), cell: row => <RelativeTime at={row.last_seen_at} as="age" /> },
    ],
    [t],
  )
  const filterOptions = useMemo(
    () => [
      { value: 'admin', label: t('Everything') },
      ...areas.flatMap(area => area.levels.map(level => ({ value: level.code, label: `${t(area.title)}: ${t(level.title)}` }))),
    ],
    [t],
  )
  const views: View[] = [
    { key: 'all', title: t('All'), search: {} },
    { key: 'active', title: t('Active'), search: { only: 'active' } },
    { key: 'devices', title: t('Devices'), search: { only: 'devices' } },
    { key: 'no_sign_in', title: t('Without sign-in'), search: { only: 'no_sign_in' } },
    { key: 'groupless', title: t('Without group'), search: { only: 'groupless' } },
    { key: 'left', title: t('Former staff'), search: { only: 'left' } },
  ]
  const id = url.id === 'new' || url.id === 'device' || url.id === '' ? null : Number(url.id)
  const fresh = url.only === 'devices' ? 'device' : 'new'
  const add = url.only === 'devices' ? t('New device') : t('New user')
  // Who has left is no user any more: what they did stands in the history.
  const left = url.only === 'left'

  return (
    <Page
      title={t('Users')}
      fill
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => open(fresh)}>
          {add}
        </Button>
      }
    >
      {shown ? <MadePassword shown={shown} close={() => setShown(null)} /> : null}
      {invited ? <MadeInvitation {...invited} close={() => setInvited(null)} /> : null}
      <DataTable
        name="users"
        label={t('Users')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        {...(left ? {} : { open: (row: User) => open(row.user_id) })}
        opened={id}
        sort={url.sort}
        onSort={sort => setUrl({ sort: sort })}
        onPage={page => setUrl({ page })}
        exports={{ start: format => void saveAs(format).catch(toastError) }}
        rowActions={row =>
          left
            ? []
            : [
                { label: t('Edit'), run: () => open(row.user_id) },
                ...(row.kind === 'device' ? [{ label: t('Sign out device'), run: () => signOut.mutate({ id: row.user_id }) }] : []),
                {
                  label: row.kind === 'device' ? t('Remove device') : t('Remove user'),
                  danger: true,
                  run: () => void askRemove(row),
                  why: row.user_id === me.user_id ? t('This is you') : null,
                },
              ]
        }
        toolbar={
          <FilterBar
            name="users"
            views={views}
            search={{
              value: url.query,
              set: query => setUrl({ query, page: 1 }, { replace: true }),
              label: t('Name, login, number or phone'),
            }}
            filters={[
              {
                key: 'group',
                label: t('Group'),
                kind: 'one',
                options: (known.data ?? []).map(group => ({ value: String(group.group_id), label: group.group_name })),
                value: url.group_id ? [String(url.group_id)] : [],
                set: ([one]) => setUrl({ group_id: Number(one ?? 0), page: 1 }),
              },
              {
                key: 'permission',
                label: t('Right'),
                kind: 'one',
                options: filterOptions,
                value: url.permission ? [url.permission] : [],
                set: ([one]) => setUrl({ permission: one ?? '', page: 1 }),
              },
            ]}
          />
        }
        filtered={url.query !== '' || url.permission !== '' || url.only !== '' || url.group_id > 0}
        clearFilters={() => setUrl({ query: '', permission: '', only: '', group_id: 0, page: 1 })}
        empty={<EmptyList title={t('No one yet')} action={<Button onClick={() => open(fresh)}>{add}</Button>} />}
        card={row => (
          <Group justify="space-between" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Text fw={500}>{row.name}</Text>
              <Text size="sm" c="dimmed">
                {row.role ?? row.user_name ?? row.email}
              </Text>
              <RightsWords of={row.effective} />
            </div>
            {row.user_id === me.user_id ? <StateBadge tone="plain">{t('You')}</StateBadge> : null}
          </Group>
        )}
      />
      <Drawer
        opened={url.id !== ''}
        onClose={close}
        size={640}
        title={url.id === 'new' ? t('New user') : url.id === 'device' ? t('New device') : t('User')}
      >
        {url.id === 'new' || url.id === 'device' ? (
          <NewUser
            kind={url.id === 'device' ? 'device' : 'person'}
            close={close}
            made={(user, password, asked) => {
              if (password !== null) setShown({ name: user.name, login: loginOf(user), password })
              if (asked) invite.mutate(user)
              close()
              list.showPendingChanges()
            }}
          />
        ) : id !== null && Number.isInteger(id) ? (
          <OpenUser
            key={id}
            id={id}
            me={me.user_id}
            close={close}
            shown={setShown}
            invite={user => invite.mutate(user)}
            remove={user => void askRemove(user)}
          />
        ) : null}
      </Drawer>
    </Page>
  )
}

function NewUser({
  kind,
  close,
  made,
}: {
  kind: AccountKind
  close: () => void
  made: (user: User, password: string | null, invited: boolean) => void
}) {
  const t = useT()
  const cache = useQueryClient()
  const next = useCall(users.nextEmployeeNo, {})
  return (
    <QueryState of={next} shape="form">
      {({ employee_no }) => (
        <UserForm
          user={null}
          kind={kind}
          employeeNo={employee_no}
          said={kind === 'device' ? t('The device is there') : t('The user is there')}
          cancel={close}
          done={({ user, password }, invited) => {
            // The next form must not start with the number that was just assigned.
            cache.removeQueries({ queryKey: keyOfCall(users.nextEmployeeNo) })
            made(user, password, invited)
          }}
        />
      )}
    </QueryState>
  )
}

interface OpenUserProps {
  id: number
  me: number
  close: () => void
  shown: (shown: Shown | null) => void
  invite: (user: User) => void
  remove: (user: User) => void
}

function OpenUser({ id, me, close, shown, invite, remove }: OpenUserProps) {
  const t = useT()
  const answer = useCall(users.get, { id })
  return (
    <QueryState of={answer} shape="form">
      {user => (
        <>
          <UserForm
            user={user}
            employeeNo=""
            said={t('User saved')}
            cancel={close}
            done={({ user: saved, password }, invited) => {
              if (password !== null) shown({ name: saved.name, login: loginOf(saved), password })
              if (invited) invite(saved)
              close()
            }}
          />
          {user.kind === 'device' ? null : (
            <>
              <PermissionSources id={user.user_id} />
              <ShownUser value={user}>
                <Slot name="user" />
              </ShownUser>
              <UserCredentials key={user.user_id} user={user} />
              <UserFactors user={user} />
            </>
          )}
          <UserSessions user={user} />
          {id === me ? null : (
            <Button mt="lg" variant="subtle" color="brick" onClick={() => remove(user)}>
              {t('Remove user')}
            </Button>
          )}
        </>
      )}
    </QueryState>
  )
}

const loginOf = (user: User): string => user.user_name ?? user.email ?? user.employee_no ?? ''

function MadeInvitation({ name, invitation, close }: { name: string; invitation: Invitation; close: () => void }) {
  const t = useT()
  const { url, mailed_to, expires_at } = invitation
  return (
    <Alert
      color="moss"
      title={t('An invitation for {{name}}', { name })}
      mb="md"
      withCloseButton
      closeButtonLabel={t('Put the link away')}
      onClose={close}
    >
      <Text size="sm">
        {mailed_to === null
          ? t('No mail was sent: this user has no e-mail address, or the company no e-mail account. Hand over the link yourself.')
          : t('The link is sent to {{address}}. You can also hand it over yourself.', { address: mailed_to })}{' '}
        {t('It works once, until {{time}}.', { time: instant(expires_at) })}
      </Text>
      <Copied text={url} label={t('Copy link')} />
    </Alert>
  )
}

function MadePassword({ shown, close }: { shown: Shown; close: () => void }) {
  const t = useT()
  return (
    <Alert
      color="moss"
      title={t('A password for {{name}}', { name: shown.name })}
      mb="md"
      withCloseButton
      closeButtonLabel={t('Put the password away')}
      onClose={close}
    >
      <Text size="sm">
        {t('{{login}} signs in with this password. It is shown only now: hand it over, or write it down.', { login: shown.login })}
      </Text>
      <Group gap="xs" mt={4}>
        <Text ff="monospace" size="lg">
          {shown.password}
        </Text>
        <CopyButton text={shown.password} label={t('Copy password')} />
      </Group>
    </Alert>
  )
}
