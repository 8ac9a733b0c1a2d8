import {
  essay,
  matching,
  number,
  picture,
  several,
  short,
  shown,
  single,
  gaps,
  wordGap,
  choiceGap,
  type DemoTest,
} from './demo-test.ts';

const timeline = picture(
  'demo-english-timeline',
  'Timeline: Nina, Omsk — from 2019 to 2022, then Perm — from 2022 till now',
);

const look = `Look at the picture.${shown(timeline)}`;

export const english: DemoTest = {
  key: 'english',
  name: 'Present Perfect и Past Simple',
  description:
    'Выбор времени, формы глагола, слова-указатели. За норму принят британский английский; полные и сокращённые формы равноправны. Короткий рассказ в конце проверяет учитель.',
  theme: 'english',
  topic: 'Грамматика',
  difficulty: 'easy',
  passTime: '00:40:00',
  attemptsCount: 2,
  pictures: [timeline],
  questions: [
    single(
      1,
      'Choose the correct form: “She _____ in Moscow since 2019 and still loves it.”',
      ['has lived'],
      ['lived', 'lives', 'did live'],
      {
        explanation: 'Действие началось в прошлом и продолжается; *since* требует Present Perfect.',
      },
    ),
    single(
      1,
      'Choose the correct form: “We _____ to the Tretyakov Gallery last Saturday.”',
      ['went'],
      ['have gone', 'have been', 'go'],
      { shuffle: true, explanation: 'Указано законченное время — *last Saturday*: Past Simple.' },
    ),
    single(
      1,
      'Choose the correct form: “_____ kvass in your life?”',
      ['Have you ever tried'],
      ['Have you ever try', 'Were you ever try', 'Are you ever trying'],
      { explanation: 'Вопрос о жизненном опыте: Present Perfect, *have* и третья форма глагола.' },
    ),
    short(
      1,
      'Put the verb in the correct form: “When I was six, I _____ (break) my arm.” Write one word.',
      ['broke'],
      {
        mistakes: ['have broken', 'breaked', 'broken'],
        explanation: '*When I was six* — законченное время в прошлом.',
      },
    ),
    short(
      1,
      'Put the verb in the correct form: “My sister _____ (just / finish) her homework, so she is free now.”',
      ['has just finished', '’s just finished'],
      {
        mistakes: ['have just finished', 'just has finished', 'just finish'],
        explanation: 'Важен результат сейчас. *Just* стоит между *has* и третьей формой.',
      },
    ),
    gaps(
      4,
      'Complete the message.\n\n“Hi Max! I [[1]] (be) in Sochi since Sunday. Yesterday we [[2]] to the mountains. I [[3]] never [[4]] (see) such a beautiful place before!”',
      [
        wordGap(['have been', '’ve been'], 'was', 'am', 'has been'),
        choiceGap('went', 'have gone', 'have been'),
        choiceGap('have', 'has', 'did'),
        wordGap(['seen'], 'saw', 'see', 'sawn'),
      ],
      {
        explanation:
          '*Since Sunday* и *never … before* требуют Present Perfect, *yesterday* — Past Simple.',
      },
    ),
    several(
      2,
      'Which time expressions are used with the Past Simple and not with the Present Perfect?',
      ['yesterday', 'two years ago', 'in 1999'],
      ['so far', 'since Monday', 'for the last three days'],
      { shuffle: true, explanation: 'Они называют законченный момент в прошлом.' },
    ),
    matching(
      2,
      'Match the verbs and their past participles (V3).',
      [
        ['go', 'gone'],
        ['write', 'written'],
        ['begin', 'begun'],
        ['see', 'seen'],
      ],
      ['went', 'began'],
      { explanation: 'Лишние слова — вторые формы: *went*, *began*.' },
    ),
    matching(
      4,
      'Соотнесите предложения и объяснения выбора времени.',
      [
        [
          'I’ve left my umbrella at home, and now I’m getting wet.',
          'Действие произошло в прошлом, когда именно — не сказано; важно, к чему оно привело сейчас',
        ],
        [
          'My grandfather worked at this school for thirty years. He is retired now.',
          'Действие длилось в прошлом и полностью закончилось, с настоящим оно не связано',
        ],
        [
          'We have known each other since the first form.',
          'Состояние началось в прошлом и сохраняется до настоящего момента',
        ],
        [
          'This is the best film I have ever seen.',
          'Говорится об опыте за всю жизнь до настоящего момента; в главной части — превосходная степень',
        ],
      ],
      [
        'Действие повторяется регулярно и является привычкой в настоящем',
        'Действие произошло раньше другого действия в прошлом',
      ],
      { explanation: 'Лишние объяснения относятся к Present Simple и Past Perfect.' },
    ),
    single(
      1,
      'Which sentence is NOT correct?',
      ['I have seen him yesterday.'],
      ['I have already seen him.', 'I saw him yesterday.', 'I haven’t seen him today.'],
      { explanation: 'С *yesterday* нужен Past Simple: *I saw him yesterday.*' },
    ),
    single(
      1,
      'Choose the correct form: “Where is Dad?” — “He _____ to the shop. He’ll be back in ten minutes.”',
      ['has gone'],
      ['has been', 'have gone', 'is been'],
      { explanation: '*Has gone* — ушёл и ещё не вернулся, *has been* — побывал и вернулся.' },
    ),
    several(
      3,
      'Which sentences are correct?',
      [
        'I haven’t done my homework yet.',
        'Did you watch the match last night?',
        'She has been ill for a week.',
      ],
      [
        'They have moved to Kazan in May last year.',
        'When have you bought this bike?',
        'He didn’t came to school on Monday.',
      ],
      {
        explanation:
          'Правильно: *They moved to Kazan in May last year. When did you buy this bike? He didn’t come to school on Monday.*',
      },
    ),
    short(
      2,
      'Complete the second sentence so that it means the same: “I met Olga in 2015, and we are still friends.” — “I _____ (know) Olga since 2015.”',
      ['have known', '’ve known', 'I have known'],
      {
        mistakes: ['know', 'knew', 'have knew', 'am knowing'],
        explanation: '*Know* — глагол состояния: Present Perfect, а не Continuous.',
      },
    ),
    single(
      1,
      'Which sentence is true?',
      ['Nina has lived in Perm since 2022.'],
      [
        'Nina has lived in Omsk since 2019.',
        'Nina lived in Perm from 2019 to 2022.',
        'Nina has never lived in Omsk.',
      ],
      { passage: look },
    ),
    number(1, 'How many years did Nina live in Omsk? Write a number.', '3', {
      passage: look,
      mistakes: ['2', '4', '2022'],
      explanation: '2022 − 2019 = 3. Omsk is finished, so the question is in the Past Simple.',
    }),
    essay(
      5,
      'Write 60–80 words about a place you have visited. When did you go there? What did you do? What have you done since then to learn more about it? Use both tenses.',
      {
        explanation:
          'Оцениваются полнота ответа на три вопроса, верный выбор Past Simple и Present Perfect, формы глаголов, объём.',
        samples: [
          {
            share: 1,
            comment: 'All three questions are answered, both tenses are used well.',
            text: 'I have been to Kazan once. My family and I went there last summer and stayed for four days. We visited the Kremlin, walked along the river and tried chak-chak. The weather was hot, so in the evening we took a boat. I liked the city very much. Since then I have read two books about Tatarstan, and I have learnt to say “thank you” in Tatar. My parents have already promised to go there again.',
          },
          {
            share: 0.8,
            comment: 'Good story. “I have went” should be “I went”.',
            text: 'Two years ago I have went to Saint Petersburg with my class. We saw the Hermitage and the Bronze Horseman. We lived in a small hotel near the metro. It rained every day, but we were happy. Since that trip I have watched many videos about the city and I have made an album with photos. I have never seen so many bridges in my life.',
          },
          {
            share: 0.6,
            comment: 'No Present Perfect in the last part, and the text is short.',
            text: 'Last year I visited my grandmother in Vologda. We went to the forest and picked mushrooms. I saw the river and old houses. Now I know many facts about Vologda because I read about it in the Internet. I want to go there again.',
          },
          {
            share: 0.4,
            comment: 'Only present tenses; please rewrite it in the past.',
            text: 'I go to Sochi with my parents. We swim in the sea every day and eat ice cream. It is very beautiful place. I have seen dolphins. I love Sochi.',
          },
        ],
      },
    ),
  ],
};
