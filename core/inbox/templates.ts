/** A template that an application stored by a send API. */
export interface StoredTemplate {
  name: string
  /** JSON in the form of the provider. */
  content: string
  createdAt: number
}

/**
 * `exists`: a new template has the name of another. `missing`: no template to replace. `full`: the
 * store holds TEMPLATES_MAX templates or TEMPLATES_BYTES already.
 */
export type TemplateSaved = 'saved' | 'exists' | 'missing' | 'full'

/**
 * Templates of the send APIs. A scope is a provider and the owner of its templates (`ownTemplates`).
 * Changes are durable when the promise resolves.
 */
export interface EmailTemplates {
  create(scope: string, template: StoredTemplate): Promise<TemplateSaved>
  /** Replaces the content and keeps `createdAt`. */
  replace(scope: string, name: string, content: string): Promise<TemplateSaved>
  find(scope: string, name: string): Promise<StoredTemplate | undefined>
  /** At most `limit` templates with names greater than `after`, sorted by name. */
  list(scope: string, after: string, limit: number): Promise<StoredTemplate[]>
  /** Returns whether the template existed. */
  remove(scope: string, name: string): Promise<boolean>
}

/**
 * The templates of one owner, in which scopes are the names of providers.
 * @param owner the hash of an operator's key; empty where no key is needed
 */
export function ownTemplates(all: EmailTemplates, owner: string): EmailTemplates {
  const own = (provider: string) => (owner === '' ? provider : `${provider} ${owner}`)
  return {
    create: (provider, template) => all.create(own(provider), template),
    replace: (provider, name, content) => all.replace(own(provider), name, content),
    find: (provider, name) => all.find(own(provider), name),
    list: (provider, after, limit) => all.list(own(provider), after, limit),
    remove: (provider, name) => all.remove(own(provider), name),
  }
}
