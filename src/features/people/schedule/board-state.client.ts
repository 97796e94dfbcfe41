/** What the board does with shifts: moves, stretches, copies and removes them, each with an undo. */
import { useMemo } from 'react'
import { toastFailure, toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCommand } from '#ui/query/calls.ts'
import { schedule } from './schedule.contract.ts'
import type { NewShift, ScheduleEntry } from './schedule.schemas.ts'
import { leftOut } from './schedule-words.client.ts'

export interface BoardActions {
  move: (entry: ScheduleEntry, change: Partial<NewShift>) => void
  create: (shifts: readonly NewShift[]) => void
  remove: (entry: ScheduleEntry) => void
  undo: (change_id: string) => void
  /** Makes a change again that was taken back. */
  redo: (change_id: string) => void
  busy: boolean
  /** The change that is being saved, which the board shows already. */
  pending: { id: number; change: Partial<NewShift> } | null
}

const refreshed = [schedule.board, schedule.list, schedule.future]

export function useBoardActions(): BoardActions {
  const t = useT()
  const undo = useCommand((change_id: string) => send(schedule.undo, { change_id }), {
    refreshes: refreshed,
    said: t('The change is undone'),
  })
  const redo = useCommand((change_id: string) => send(schedule.redo, { change_id }), {
    refreshes: refreshed,
    said: t('The change is made again'),
  })
  const move = useCommand(
    ({ entry, change, change_id }: { entry: ScheduleEntry; change: Partial<NewShift>; change_id: string }) =>
      send(schedule.update, { id: entry.id, body: { version: entry.version, change_id, ...change } }),
    { refreshes: refreshed, done: (_, { change_id }) => toastWithUndo(t('Shift changed'), () => undo.mutate(change_id)) },
  )
  const create = useCommand(
    ({ shifts, change_id }: { shifts: readonly NewShift[]; change_id: string }) =>
      send(schedule.change, { body: { change_id, shifts: [...shifts] } }),
    {
      refreshes: refreshed,
      done: ({ entries, skipped }, { change_id }) => {
        if (entries.length > 0) toastWithUndo(t('{{count}} shifts planned', { count: entries.length }), () => undo.mutate(change_id))
        const left = leftOut(t, skipped)
        if (left !== null) toastFailure(left)
      },
    },
  )
  const remove = useCommand(
    ({ entry, change_id }: { entry: ScheduleEntry; change_id: string }) => send(schedule.remove, { id: entry.id, change_id }),
    { refreshes: refreshed, done: (_, { change_id }) => toastWithUndo(t('Shift removed'), () => undo.mutate(change_id)) },
  )
  const pending = move.isPending && move.variables ? { id: move.variables.entry.id, change: move.variables.change } : null
  const busy = move.isPending || create.isPending || remove.isPending || undo.isPending || redo.isPending
  return useMemo(
    () => ({
      move: (entry, change) => move.mutate({ entry, change, change_id: crypto.randomUUID() }),
      create: shifts => create.mutate({ shifts, change_id: crypto.randomUUID() }),
      remove: entry => remove.mutate({ entry, change_id: crypto.randomUUID() }),
      undo: change_id => undo.mutate(change_id),
      redo: change_id => redo.mutate(change_id),
      busy,
      pending,
    }),
    [move.mutate, create.mutate, remove.mutate, undo.mutate, redo.mutate, busy, pending],
  )
}
