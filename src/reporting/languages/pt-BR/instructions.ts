/** Portuguese phrases of instructions. */
import type { InstructionTables } from '../tables.ts';

export const instructions: InstructionTables = {
  words: {
    report: 'laudo, o laudo, relatório, o relatório, documento, o documento',
    fill: 'preencher, preencha, preenche, completar, complete, completa',
    with: 'com, como, por, para, é',
    field: 'o campo, campo, no campo, o campo de, campo de, o item',
    replace: `
      troque, trocar, troca, substitua, substituir, substitui, mude, mudar, muda, altere, alterar, altera, corrija, corrigir,
      corrige, modifique, modificar, modifica, ajuste, ajustar, ajusta
    `,
    by: 'por, para, pela, pelo, pelas, pelos, para o, para a, pelo seguinte, para o seguinte, por isto',
    delete: `
      apague, apagar, apaga, exclua, excluir, exclui, remova, remover, remove, delete, deletar, deleta, retire, retirar,
      retira, limpe, limpar, limpa, esvazie, esvaziar, elimine, eliminar, elimina, suprima, suprimir, tire, tirar, tira
    `,
    add: `
      acrescente, acrescentar, acrescenta, adicione, adicionar, adiciona, inclua, incluir, inclui, insira, inserir, insere,
      coloque, colocar, coloca, ponha, põe, bota, bote, escreva, escreve, anote, anota, registre, registra, nova frase, nova linha
    `,
    put: 'coloque, colocar, coloca, ponha, põe, bota, bote, escreva, escreve, use, leia-se, deixe, é, diga, deve ser, deve constar, use a palavra',
    rewrite: 'reescreva, reescrever, reescreve, redija, refaça, refazer',
    as: 'como, para, assim, por',
    becomes:
      'passa a ser, deve ser, deve ficar, fica, fica assim, agora é, deveria ser, deve dizer, deve ler, será, vai ser',
    make: 'deixe, deixe como, deixa, deixar, mude para, troque para, altere para, corrija para, deve ser, coloque como, é, é de, é do, é da, é no, é na',
    is: `
      é, são, está, estão, fica, ficam, na verdade são, são de, deve ser, deveria ser, na verdade é, mede, medem, tem, na verdade mede, deve medir,
      deveria medir, é de, está na, correto é, certo é, correta é, certa é
    `,
    not: 'não, e não, não é, não são',
    undo: `
      desfazer, desfaça, desfaz, desfaço, desfaze, voltar, volte, volta, volte atrás, voltar atrás, volta atrás, reverter, reverta,
      reverte, cancelar, cancele, cancela, anular, anule, anula, restaurar, restaure, restaura, esquecer, esqueça, esquece,
      desconsiderar, desconsidere, desconsidera, ignorar, ignore, ignora, riscar, risque, risca, deixa pra lá, deixa para lá,
      deixe para lá, deixe pra lá, volta um passo, volte um passo, desfaça-o, desfaça-a, desfazê-lo, apague-o, apaga-o
    `,
    change: `
      isso, isto, isso aí, isso daí, aquilo, a alteração, alteração, última alteração, a última alteração,
      essa alteração, esta alteração, minha última alteração, a minha última alteração, a correção, última correção, a última correção,
      essa correção, a minha última correção, a mudança, última mudança, a última mudança, essa mudança, a troca, a última troca,
      essa troca, a última instrução, última instrução, minha última instrução, essa instrução, a instrução, o último comando,
      último comando, esse comando, o comando, a última edição, a edição, a alteração anterior, a correção anterior,
      o que eu disse, o que eu falei, o que eu acabei de dizer, o que eu acabei de falar, o que você fez, o que eu fiz, o que disse,
      o que falei, como estava, como era, ao que era, para como estava, ao que estava, a versão anterior, para a versão anterior,
      à versão anterior
    `,
    oops: 'não, ops, opa, espera, espere, peraí, desculpa, desculpe, ok, certo, pera, calma, ah não, na verdade',
    but: 'mas é, mas era, mas o certo é, mas o correto é, mas deve ser, mas quis dizer, mas, mas sim, e sim, sim, é, são, tem, mede',
    last: 'a última, última, o último, último',
    sentence: 'frase, sentença, oração, linha, a frase, a sentença, a oração, a linha',
    of: 'de, do, da, dos, das, no, na, nos, nas, em, do campo, da seção',
    about: `
      sobre, sobre o, sobre a, sobre os, sobre as, que fala de, que fala do, que fala da, que menciona, com, do, da, de, dos, das,
      referente ao, referente à, que diz, que contém, que fala dos, que fala das, relativa ao, relativa à
    `,
    whole:
      'toda a, todo o, todos os, todas as, a seção, o campo, toda a seção, o texto da, o texto do, o texto dos, o conteúdo da, o conteúdo do, o conteúdo dos',
    mention:
      'a menção ao, a menção a, a menção à, menção ao, menção a, a palavra, a expressão, o termo, o trecho, as palavras, palavra, palavras, os termos, as expressões, a referência ao, a referência à',
    side: 'o lado, lado, a lateralidade, lateralidade, o lado correto, o lado certo',
    size: `
      a data, data, 
      o tamanho, tamanho, a medida, medida, as medidas, medidas, a dimensão, dimensão, as dimensões, dimensões, o diâmetro,
      diâmetro, a espessura, espessura, o volume, volume, o valor, valor
    `,
    where: 'onde se lê, onde está, onde diz, onde está escrito, onde há, onde eu disse, onde consta',
    read: 'leia-se, leia se, lê-se, escreva, coloque, deve ser, troque por, mude para, deveria ser, ponha, é, eu quis dizer, quis dizer, queria dizer, eu queria dizer, põe, coloca, era para ser',
    instead:
      'em vez de, ao invés de, no lugar de, e não, em lugar de, em vez do, ao invés do, no lugar do, em vez da, ao invés da, no lugar da',
    before: 'antes de, antes do, antes da, antes dos, antes das, antes da palavra',
    after:
      'depois de, depois do, depois da, após, após o, após a, depois dos, depois das, depois da palavra, após a palavra',
    beginning: `
      no início de, no início do, no início da, no início dos, no início das, no começo de, no começo do, no começo da, no começo
      dos, ao início da, ao início do, ao início dos, antes do texto da
    `,
    end: 'no final de, no final do, no final da, no final dos, no final das, no fim de, no fim do, no fim da, no fim dos, ao final da, ao final do, ao final dos',
    to: `
      a, à, ao, aos, às, na, no, nas, nos, em, para a, para o, para os, da, do, dos, à seção, na seção, ao campo, no campo, no item,
      à seção de, na seção de
    `,
    item: 'item, o item, itens, os itens, item número, o item número, ponto, o ponto, pontos, os pontos, número, o número, números, os números, tópico, o tópico, tópicos, os tópicos',
    between: 'entre, entre o, entre a, entre os, entre as',
    inPlace: 'no lugar, em seu lugar, no lugar dela, no lugar dele, em vez disso',
    at: 'em, no nível, no nível de, ao nível de, em nível de, no nível do',
    and: 'e, com, por, pelo',
    swap: 'inverte, inverta, inverter, troca, troque, trocar, permuta, permute',
    top: 'para o início, para o começo, para o topo, para cima, para primeiro, para o primeiro lugar, no início, no topo, para o número um',
    bottom: 'para o fim, para o final, para baixo, para o último lugar, para último, no fim, no final, ao final',
    level: 'o nível, nível, os níveis, níveis, a vértebra, o segmento',
    move: 'mova, mover, move, passe, passar, passa, leve, levar, transfira, transferir',
    copy: 'copie, copiar, copia, duplique, duplicar',
    line: 'uma linha, uma frase, um item, uma nova linha, uma nova frase, um novo item, mais uma frase, mais um item, uma sentença',
    said: 'eu falei, falei, eu disse, disse, eu escrevi, escrevi, está escrito, eu coloquei, ficou',
    that: 'que, dizendo, que diga, que diz, falando, assim, o seguinte, a frase, o texto, o seguinte texto, a seguinte frase',
  },
  polite: 'tá, ok, por gentileza, favor, pode, poderia, você pode, quero, gostaria de, quero que, preciso que, agora',
  courtesies: 'por favor, por gentileza, obrigado, obrigada, muito obrigado, muito obrigada, valeu',
  then: 'e, e depois, depois, em seguida, e também, também, então, e então',
  starts: `
    preencher, preencha, onde se lê, onde está, onde diz, troque, trocar, substitua, substituir, mude, mudar, altere, alterar, corrija, corrigir, apague, apagar, exclua,
    excluir, remova, remover, delete, deletar, retire, retirar, elimine, eliminar, acrescente, acrescentar, adicione,
    adicionar, inclua, incluir, insira, inserir, reescreva, reescrever, desfaça, desfazer, troca, muda, altera, apaga, coloque, colocar,
    modifique, coloca, põe, bota, inclui, insere, acrescenta, adiciona, remove, tira, exclui, retira, elimina, copia, copie, move, mova, passa, passe,
    corrige, substitui, escreve, escreva, inverte, inverta, desfaz
  `,
  inSection: `
    em, no, na, nos, nas, do, da, dos, das, na seção, no campo, no item, na seção de, na seção dos, na seção da, da seção, do campo,
    na parte de, no trecho de, tanto nos, tanto na, tanto no, bem como em, bem como no, bem como na, bem como nos, bem como nas, como na, como nos, quanto na, quanto nos, ao, à, aos, às
  `,
  and: 'e, e também, e em, bem como, como também',
  all: `
    todos os, todas as, todo, toda, todas as ocorrências de, todas as ocorrências da palavra, todas as palavras, cada
  `,
  everywhere: `
    em todo o laudo, em todo o texto, em todos os lugares, em todas as seções, todas as vezes, sempre, em todo o documento,
    em toda parte, no laudo todo, no texto todo, no laudo inteiro, no texto inteiro, em todo lugar, no documento todo,
    em todas as ocorrências, nos dois, nas duas, em ambos, em ambas, nos dois lugares, em ambas as seções, nas duas seções
  `,
  also: 'também, e também, igualmente',
  only: 'só, somente, apenas, mas só, mas somente, mas apenas, e só, unicamente',
  except: 'exceto, menos, a não ser, mas não, não, em vez, senão, salvo, fora, e nada mais, nada mais',
  otherVerbs: `
    mova, mover, move, copie, copiar, copia, cole, colar, cola, duplique, duplicar, negrite, negritar, sublinhe, sublinhar, destaque,
    formate, formatar, soletre, soletrar, leia, ler, lê, assine, assinar, assina, salve, salvar, salva, envie, enviar, envia, imprima,
    imprimir, exporte, exportar, finalize, finalizar, junte, juntar, junta, separe, separar, divida, ordene, repita, repetir, mostre,
    mostrar, mostra, abra, abrir, feche, fechar, pare, parar, confira, verifique, explique, resuma, traduza, passe, passar, leve, levar,
    apague, apagar, remova, remover, troque, trocar, substitua, substituir, acrescente, acrescentar, adicione, adicionar, desfaça
  `,
  articles: 'o a os as um uma',
  dangling: 'de do da dos das em no na nos nas com sem por para a à ao o os as e ou nao sem há ha um uma',
  opening: 'nao ha',
  signs: 'sinal sinais evidência evidências indício indícios',
  nth: {
    primeiro: 1,
    'o primeiro': 1,
    segundo: 2,
    'o segundo': 2,
    terceiro: 3,
    'o terceiro': 3,
    quarto: 4,
    'o quarto': 4,
    quinto: 5,
    'o quinto': 5,
    sexto: 6,
    'o sexto': 6,
    primeira: 1,
    segunda: 2,
    terceira: 3,
    quarta: 4,
    quinta: 5,
    sexta: 6,
    sétima: 7,
    oitava: 8,
    'a primeira': 1,
    'a segunda': 2,
    'a terceira': 3,
    'a quarta': 4,
    'a quinta': 5,
    penúltima: -2,
    'a penúltima': -2,
  },
  answers: {
    not_understood: 'Não entendi a instrução; nada foi alterado. O que deve mudar, e para quê?',
    unclear: 'Não ficou claro como “{what}” deve ser escrito; nada foi alterado. Como deve ficar a frase?',
    unit: 'Com “{what}” um número perderia a unidade, ou uma unidade o número; nada foi alterado. Qual número, com qual unidade?',
    not_found: 'Não encontrei “{what}” no laudo; nada foi alterado.',
    several: '“{what}” está em {count} lugares. Em qual deles?',
    negation: 'Isso só tiraria uma negação (“{what}”). O achado deve mesmo ser afirmado?',
    which_section: 'Em qual seção devo escrever “{what}”?',
    dangling: 'Sem “{what}” a frase ficaria incompleta. Devo apagar a frase inteira?',
    signs: 'sinal sinais evidência evidências indício indícios',
    nothing: 'O laudo já está assim; nada foi alterado.',
    edited_since:
      'As mesmas palavras foram editadas depois da última instrução; nada foi alterado. Como elas devem ficar?',
    nothing_to_undo:
      'Nenhuma instrução alterou este laudo ainda; nada foi alterado. O que deve ser alterado ou apagado?',
  },
};
