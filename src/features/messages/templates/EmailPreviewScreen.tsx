/** The public preview of an e-mail template: invented data, by a link of 30 minutes. The token stands in the fragment, which no server sees. */
import { Stack, Text } from '@mantine/core'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { usePageTitle } from '#ui/kit/page-title.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { EmailPreview } from './MessagePreviewPanel.tsx'
import { templates } from './templates.contract.ts'

export function EmailPreviewScreen() {
  const t = useT()
  usePageTitle(t('E-mail preview'))
  const token = window.location.hash.slice(1)
  const mail = useCall(templates.page, { body: { token } }, { enabled: token !== '' })
  return (
    <main style={{ maxWidth: 720, margin: '0 auto', padding: 24 }}>
      {token === '' ? (
        <EmptyList title={t('E-mail preview')}>{t('Open the preview from a template: its link shows the mail for 30 minutes.')}</EmptyList>
      ) : (
        <QueryState of={mail}>
          {({ company, name, subject, html, text }) => (
            <Stack gap="md">
              <div>
                <h1 style={{ margin: 0 }}>{name}</h1>
                <Text c="dimmed">{t('{{company}} · invented data', { company })}</Text>
              </div>
              <EmailPreview subject={subject} html={html ?? ''} text={text} />
            </Stack>
          )}
        </QueryState>
      )}
    </main>
  )
}
