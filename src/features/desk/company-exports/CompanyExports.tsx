/** Everything of a company as an archive: asked for with the own password, followed while it is made, and fetched. */
import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { OwnIdentity } from '#features/company/sign-in-provider/OwnIdentity.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { bytes, number } from '#ui/kit/format.ts'
import { Progress } from '#ui/kit/Progress.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, send, useCall, useSend } from '#ui/query/calls.ts'
import { companyExports } from './company-exports.contract.ts'
import { AskExport, type CompanyExport } from './company-exports.schemas.ts'

export function CompanyExports({ company_id, name, erased }: { company_id: number; name: string; erased: boolean }) {
  const t = useT()
  const exports = useCall(companyExports.list, { company_id }, { live: ['job'], every: 3_000 })
  const [asking, setAsking] = useState(false)
  const running = exports.data?.some(({ state }) => state === 'queued' || state === 'running') ?? false
  return (
    <SettingsSection
      title={t('Export everything')}
      help={t(
        'A ZIP archive of all tables and files but films, without passwords and keys. Only who asked for it can download it, for seven days.',
      )}
    >
      <QueryState of={exports} shape="rows">
        {rows =>
          rows.length === 0 ? (
            <Text c="dimmed">{t('Nothing of this company was exported yet.')}</Text>
          ) : (
            <Table>
              <Table.Tbody>
                {rows.map(row => (
                  <Table.Tr key={row.id}>
                    <Table.Td>
                      <ExportRow row={row} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </QueryState>
      {erased ? null : (
        <Group>
          <Button variant="default" {...disabledBecause(running && t('An export is running already'))} onClick={() => setAsking(true)}>
            {t('Export everything')}
          </Button>
        </Group>
      )}
      <Dialog opened={asking} onClose={() => setAsking(false)} title={t('Export everything of {{company}}', { company: name })}>
        <AskForm company_id={company_id} close={() => setAsking(false)} />
      </Dialog>
    </SettingsSection>
  )
}

function AskForm({ company_id, close }: { company_id: number; close: () => void }) {
  const t = useT()
  const edit = useEdit({
    schema: AskExport,
    initial: { password: '' },
    save: body => send(companyExports.start, { company_id, body }),
    refreshes: [companyExports.list, jobs.list],
    done: close,
  })
  return (
    <Form edit={edit} action={t('Start export')} cancel={close} unguarded>
      <Text size="sm">{t('The archive holds names and addresses of customers and staff. Keep it as safe as the system itself.')}</Text>
      <OwnIdentity field={edit.of('password')} focused />
    </Form>
  )
}

function ExportRow({ row }: { row: CompanyExport }) {
  const t = useT()
  const [saving, setSaving] = useState(false)
  const cancel = useSend(jobs.cancel, { refreshes: [companyExports.list, jobs.list], said: t('The job stops') })
  const save = async () => {
    setSaving(true)
    try {
      saveFile(await send(companyExports.file, { id: row.id }))
    } catch (error) {
      toastError(error)
    } finally {
      setSaving(false)
    }
  }
  if (row.state === 'queued' || row.state === 'running')
    return (
      <Progress
        label={t('Export of a company')}
        done={row.done}
        total={row.total}
        began={row.created_at}
        cancel={() => cancel.mutate({ id: row.job_id })}
        cancelling={cancel.isPending}
      />
    )
  return (
    <Group justify="space-between" gap="sm">
      <Stack gap={0}>
        <Text size="sm" fw={500}>
          <RelativeTime at={row.created_at} /> · {row.requested_by}
        </Text>
        <Text size="sm" c="dimmed">
          {row.state === 'done'
            ? t('{{rows}} rows, {{files}} files', { rows: number(row.rows), files: number(row.files) })
            : row.state === 'failed'
              ? t('Failed')
              : t('Stopped')}
          {row.bytes === null ? '' : ` · ${bytes(row.bytes)}`}
        </Text>
      </Stack>
      {row.bytes !== null && row.is_own ? (
        <Button size="compact-sm" variant="default" loading={saving} onClick={() => void save()}>
          {t('Download file')}
        </Button>
      ) : row.state === 'done' && row.bytes === null ? (
        <Text size="sm" c="dimmed">
          {t('Its time has ended')}
        </Text>
      ) : null}
    </Group>
  )
}
