/** What is done to many totes at once, and what became of each. */
import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '#contract/endpoint.ts'
import { BulkFailures } from '#ui/kit/BulkFailures.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { type SendOptions, useSend } from '#ui/query/calls.ts'
import { paperless } from './paperless.contract.ts'
import type { CodeResult } from './paperless.schemas.ts'

type CodeAction = 'lost' | 'found' | 'free' | 'remove'

/** What is said about codes by hand; what was refused is shown code by code. */
export function useCodeActions() {
  const t = useT()
  const [refused, setRefused] = useState<readonly CodeResult[]>([])
  const [freeing, setFreeing] = useState<{ codes: string[]; after: (results: readonly CodeResult[]) => void } | null>(null)
  const calls = {
    lost: useSend(paperless.lost, { refreshes }),
    found: useSend(paperless.foundAgain, { refreshes }),
    free: useSend(paperless.free, { refreshes }),
    remove: useSend(paperless.remove, { refreshes }),
  }
  const sentences: Record<CodeAction, (count: number) => string> = {
    lost: count => t('{{count}} codes are marked as lost', { count }),
    found: count => t('{{count}} codes are back', { count }),
    free: count => t('{{count}} codes are free', { count }),
    remove: count => t('{{count}} codes are out of the pool', { count }),
  }
  const run = async (action: CodeAction, codes: readonly string[], more: object = {}): Promise<readonly CodeResult[]> => {
    if (codes.length === 0) return []
    if (
      action === 'remove' &&
      !(await confirm({
        title: t('Remove {{count}} codes from the pool', { count: codes.length }),
        body: t('Their labels mean nothing any more. Codes that carry something stay.'),
        action: t('Remove from the pool'),
        danger: true,
      }))
    )
      return codes.map(digits => ({ digits, done: false, message: null, key: null, values: {} }))
    const answer = await calls[action].mutateAsync({ body: { codes: [...codes], ...more } }).catch(() => null)
    if (!answer) return []
    const done = answer.results.filter(result => result.done).length
    if (done > 0) toastSuccess(sentences[action](done))
    setRefused(answer.results.filter(result => !result.done))
    return answer.results
  }
  const dialogs = (
    <>
      {freeing ? (
        <FreeDialog
          codes={freeing.codes}
          close={() => setFreeing(null)}
          free={async more => {
            setFreeing(null)
            freeing.after(await run('free', freeing.codes, more))
          }}
        />
      ) : null}
      <BulkFailures
        title={t('{{count}} codes were left as they are', { count: refused.length })}
        refused={refused}
        keyOf={result => result.digits}
        close={() => setRefused([])}
      >
        {result => (result.key ? t(result.key, result.values) : `PP${result.digits}`)}
      </BulkFailures>
    </>
  )
  return {
    run,
    askFree: (codes: string[], after: (results: readonly CodeResult[]) => void = () => {}) => setFreeing({ codes, after }),
    dialogs,
  }
}

export type CodeActions = ReturnType<typeof useCodeActions>

function FreeDialog({
  codes,
  close,
  free,
}: {
  codes: readonly string[]
  close: () => void
  free: (more: { even_open: boolean; note: string }) => Promise<void>
}) {
  const t = useT()
  const [even_open, setEven] = useState(false)
  const [note, setNote] = useState('')
  return (
    <Dialog opened onClose={close} title={t('Free {{count}} codes', { count: codes.length })}>
      <Stack gap="md">
        <Text size="sm">
          {t('Codes of orders that are done with are freed. Where an order is open, or items have to go back, the code stays.')}
        </Text>
        <Switch
          label={t('Free them also where an order is open')}
          description={t('The order has no tote then, and is opened at the packing station by its number.')}
          checked={even_open}
          onChange={event => setEven(event.currentTarget.checked)}
        />
        <TextInput label={t('Why')} value={note} maxLength={200} onChange={event => setNote(event.currentTarget.value)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('Leave them')}
          </Button>
          <Button color={even_open ? 'brick' : 'harbour'} onClick={() => void free({ even_open, note })}>
            {t('Free {{count}} codes', { count: codes.length })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Says which order lies in a free tote. */
export function useBind(options: Pick<SendOptions<typeof paperless.bind>, 'quiet' | 'done'> & { refreshes?: readonly Call[] }) {
  const t = useT()
  return useSend(paperless.bind, {
    ...options,
    refreshes: [...refreshes, ...(options.refreshes ?? [])],
    said: answer => t('{{code}} carries order {{order_no}} now', { code: answer.code, order_no: answer.order?.order_no ?? '' }),
  })
}

const refreshes = [paperless.mapping, paperless.one]
