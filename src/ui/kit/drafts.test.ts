import { beforeEach, describe, expect, it, vi } from 'vitest'
import { storage } from '../../../test/storage.ts'

vi.stubGlobal('localStorage', storage())
const { device } = await import('#ui/device/device-storage.ts')
const { keepDraft } = await import('./drafts.ts')

beforeEach(() => {
  vi.useRealTimers()
  localStorage.clear()
})

const names = () => Object.keys(device.read('drafts') ?? {})

describe('what is half written', () => {
  it('is kept under its name, the latest as it was written last', () => {
    keepDraft('3:order 7 comment', { comment: 'Ring f' })
    keepDraft('3:order 8 comment', { comment: 'Gift' })
    keepDraft('3:order 7 comment', { comment: 'Ring first' })
    expect(device.read('drafts')?.['3:order 7 comment']?.value).toEqual({ comment: 'Ring first' })
    expect(names().toSorted()).toEqual(['3:order 7 comment', '3:order 8 comment'])
  })

  it('leaves nothing behind once it is sent or emptied', () => {
    keepDraft('3:order 7 comment', { comment: 'Ring first' })
    keepDraft('3:order 7 comment', null)
    expect(localStorage.getItem('drafts')).toBeNull()
  })

  it('is forgotten after a month', () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-01T08:00:00Z') })
    keepDraft('3:order 7 comment', { comment: 'Ring first' })
    vi.setSystemTime(Date.parse('2026-11-20T08:00:00Z'))
    keepDraft('3:order 8 comment', { comment: 'Gift' })
    expect(names()).toHaveLength(2)
    vi.setSystemTime(Date.parse('2026-12-02T08:00:00Z'))
    keepDraft('3:order 9 comment', { comment: 'New' })
    expect(names()).toEqual(['3:order 8 comment', '3:order 9 comment'])
  })

  it('gives way to newer ones, a hundred of which are kept', () => {
    for (let order = 1; order <= 101; order++) keepDraft(`3:order ${order} comment`, { comment: 'x' })
    expect(names()).toHaveLength(100)
    expect(names()).not.toContain('3:order 1 comment')
  })

  it('belongs to the person who is signed in, and goes when they sign out', () => {
    keepDraft('3:order 7 comment', { comment: 'Ring first' })
    device.logout()
    expect(names()).toEqual([])
  })
})
