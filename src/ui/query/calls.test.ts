import { describe, expect, it } from 'vitest'
import { fileName, urlOf } from './calls.ts'

describe('the address of a call', () => {
  it('takes the fields of the path and leaves the others to the query', () => {
    const one = { path: 'orders/{id}/set_state/{state}' }
    expect(urlOf(one, { id: 7, state: 'ready', note: 'a b', body: {} }, 'demo')).toBe('/api/demo/orders/7/set_state/ready?note=a+b')
  })

  it('keeps the slashes of a rest', () => {
    expect(urlOf({ path: 'label_status/order/{ids*}' }, { ids: '1/2/3' }, 'demo')).toBe('/api/demo/label_status/order/1/2/3')
  })

  it('lets no value leave its segment', () => {
    expect(urlOf({ path: 'user/query/{q}' }, { q: '../x?y#z' }, 'demo')).toBe('/api/demo/user/query/..%2Fx%3Fy%23z')
  })

  it('repeats a list and drops what is not given', () => {
    expect(urlOf({ path: 'orders/search/' }, { state: ['new', 'ready'], query: '', page: undefined }, 'demo')).toBe(
      '/api/demo/orders/search/?state=new&state=ready',
    )
  })
})

describe('the name of a file', () => {
  it('is read in its UTF-8 form first', () => {
    expect(fileName(`attachment; filename="lbel.pdf"; filename*=UTF-8''l%C3%A6bel.pdf`)).toBe('læbel.pdf')
  })

  it('is read in its plain form, and has a name in any case', () => {
    expect(fileName('inline; filename="label 7.pdf"')).toBe('label 7.pdf')
    expect(fileName(null)).toBe('file')
  })
})
