import { BrowserStorage } from './storage.ts'
import { Store } from './store.ts'

/** What the user of this browser chose. */
export class SettingStore extends Store {
  readonly #storage = new BrowserStorage('localStorage')

  get density(): 'comfortable' | 'compact' {
    return this.#storage.get('mayfly.density') === 'compact' ? 'compact' : 'comfortable'
  }

  set density(density: 'comfortable' | 'compact') {
    this.#storage.set('mayfly.density', density)
    this.changed()
  }

  /** Whether images of other hosts are loaded without a question. */
  get remoteImages(): boolean {
    return this.#storage.get('mayfly.remote-images') === 'always'
  }

  set remoteImages(always: boolean) {
    if (always) this.#storage.set('mayfly.remote-images', 'always')
    else this.#storage.remove('mayfly.remote-images')
    this.changed()
  }
}

export const settings = new SettingStore()
