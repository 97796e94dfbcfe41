/** Links of the board that shows who is in: made, copied once, and revoked. */
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Copied } from '#ui/kit/CopyButton.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { staticList } from '#ui/kit/list-state.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { type Received, send, useCall, useSend } from '#ui/query/calls.ts'
import { punchClock } from './punch-clock.contract.ts'
import { punchClockSchemas } from './punch-clock.schemas.ts'

type Link = Received<typeof punchClock.boardTokens>['rows'][number]
const keyOf = (link: Link): number => link.id

export function PunchBoardLinksDrawer({ opened, close }: { opened: boolean; close: () => void }) {
  const t = useT()
  return (
    <Drawer opened={opened} onClose={close} size={640} title={t('Board of the punch clock')}>
      {opened ? <Links /> : null}
    </Drawer>
  )
}

function Links() {
  const t = useT()
  const links = useCall(punchClock.boardTokens, {})
  const [url, setUrl] = useState<string | null>(null)
  const revoke = useSend(punchClock.revokeBoardToken, { refreshes: [punchClock.boardTokens], said: t('Link revoked') })
  const ask = async (link: Link) => {
    const sure = await confirm({
      title: t('Revoke {{name}}?', { name: link.name }),
      body: t('Screens with this link end within ten seconds.'),
      action: t('Revoke link'),
      danger: true,
    })
    if (sure) revoke.mutate({ id: link.id })
  }
  const columns: Column<Link>[] = [
    { key: 'name', title: t('Name'), flex: 2, cell: link => link.name },
    { key: 'seen', title: t('Last seen'), cell: link => (link.last_used_at === null ? '–' : <RelativeTime at={link.last_used_at} />) },
    { key: 'by', title: t('Made by'), flex: 1, cell: link => link.created_by },
  ]
  return (
    <Stack gap="md">
      <Text c="dimmed">{t('It shows who is in, by first name, on a screen without a sign-in. In your network it needs no link.')}</Text>
      {url === null ? (
        <LinkForm made={setUrl} />
      ) : (
        <>
          <Text>{t('Open this link on the screen. It is shown only now.')}</Text>
          <Copied text={url} label={t('Copy link')} block />
          <Button variant="default" onClick={() => setUrl(null)}>
            {t('Done')}
          </Button>
        </>
      )}
      <QueryState of={links} shape="rows">
        {({ rows }) =>
          rows.length === 0 ? null : (
            <DataTable
              name="punch-board-links"
              label={t('Board links')}
              columns={columns}
              list={staticList(rows)}
              keyOf={keyOf}
              rowActions={link => [{ label: t('Revoke link'), danger: true, run: () => void ask(link) }]}
              card={link => (
                <RowCard>
                  <RowCardLine>
                    <span>{link.name}</span>
                    <span>{link.last_used_at === null ? '–' : <RelativeTime at={link.last_used_at} />}</span>
                  </RowCardLine>
                </RowCard>
              )}
            />
          )
        }
      </QueryState>
    </Stack>
  )
}

function LinkForm({ made }: { made: (url: string) => void }) {
  const t = useT()
  const edit = useEdit({
    schema: punchClockSchemas.calls.makeBoardToken.body,
    initial: { name: '' },
    save: body => send(punchClock.makeBoardToken, { body }),
    refreshes: [punchClock.boardTokens],
    said: t('Link made'),
    done: ({ token }) => made(`${window.location.origin}/dashboardpunchclock#${token}`),
  })
  return (
    <Form edit={edit} action={t('Make link')}>
      <TextInput label={t('Name')} description={t('For example where the screen hangs.')} {...edit.of('name')} />
    </Form>
  )
}
