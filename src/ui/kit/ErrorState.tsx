/** Something failed: what happened, a reference to copy, and another try. */
import { Button, Code, Group, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { CallError } from '#ui/query/call-error.ts'
import { CopyButton } from './CopyButton.tsx'
import { AccessDenied, EmptyState } from './EmptyState.tsx'
import { DisconnectedIllustration } from './illustrations.tsx'
import { errorReference, errorSentence, isMissingPart } from './toasts.ts'
import { useT } from './translate.ts'

export function ErrorState({ error, again }: { error: unknown; again?: () => void }) {
  const t = useT()
  if (error instanceof CallError && error.status === 403) return <AccessDenied>{errorSentence(error)}</AccessDenied>
  const reference = errorReference(error)
  // What does not exist is not there the next time either.
  const gone = error instanceof CallError && error.status === 404
  // The browser does not fetch a part again that failed once: only a fresh page does.
  const fresh = isMissingPart(error) ? () => location.reload() : undefined
  return (
    <div role="alert">
      <EmptyState
        illustration={<DisconnectedIllustration />}
        title={errorSentence(error)}
        action={
          (fresh ?? again) && !gone ? (
            <Button leftSection={<IconRefresh size={16} />} onClick={fresh ?? again}>
              {fresh ? t('Load the page again') : t('Try again')}
            </Button>
          ) : undefined
        }
      >
        {error instanceof CallError && error.status === 444 ? (
          <Text mb={4}>{t('Nothing you entered is lost. Check the network and try again.')}</Text>
        ) : null}
        <Group gap={4} justify="center" wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{reference}</Code>
          <CopyButton text={`${reference}\n${location.href}\n${new Date().toISOString()}`} label={t('Copy the reference')} />
        </Group>
      </EmptyState>
    </div>
  )
}
