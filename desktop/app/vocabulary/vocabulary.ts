/** Words of the vocabulary, on the service. */
import { itemsOf } from '../../../src/client/pages.ts';
import type { Term } from '../../../src/contract/vocabulary.ts';
import type { Service, ServiceDeps } from '../service.ts';

const mostOnPage = 200;

export function createVocabulary({ connect }: ServiceDeps): Service<'vocabulary'> {
  const api = () => connect().client.vocabulary;
  const onVersion = (version: number) => ({ headers: { 'if-match': `"${version}"` } });
  return {
    handlers: {
      async 'vocabulary.list'() {
        const items: Term[] = [];
        const fetchPage = (paging: { cursor?: string }) => api().list({ query: { ...paging, limit: mostOnPage } });
        for await (const term of itemsOf(fetchPage)) items.push(term);
        return { items };
      },
      async 'vocabulary.save'({ of, ...body }) {
        const { data } = of
          ? await api().update({ params: { id: of.id }, body }, onVersion(of.version))
          : await api().create({ body });
        return data;
      },
      async 'vocabulary.delete'({ id, version }) {
        await api().delete({ params: { id } }, onVersion(version));
        return {};
      },
    },
    close: async () => undefined,
  };
}
